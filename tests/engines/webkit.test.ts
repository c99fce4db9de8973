import { everyEngine } from "./every-engine.ts";
import { openWebKit } from "./webkit-tab.ts";

everyEngine("WebKit", openWebKit, () => openWebKit("light"));
