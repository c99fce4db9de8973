import { startFirefox } from "./drivers.mjs";
import { everyEngine } from "./every-engine.ts";

everyEngine(startFirefox);
