import { everyEngine } from "./every-engine.ts";
import { startFirefox } from "./web-driver.ts";

everyEngine(startFirefox);
