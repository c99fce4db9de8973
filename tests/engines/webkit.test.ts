import { everyEngine } from "./every-engine.ts";
import { startWebKit } from "./web-driver.ts";

everyEngine(startWebKit);
