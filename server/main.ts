import { join } from "node:path";
import { openSiteBundle } from "./site-bundle.ts";
import { startServer } from "./start-server.ts";

await startServer(() => openSiteBundle(join(import.meta.dirname, "..")));
