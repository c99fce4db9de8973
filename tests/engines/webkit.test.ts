import { startWebKit } from "./drivers.mjs";
import { everyEngine } from "./every-engine.ts";

everyEngine(startWebKit);
