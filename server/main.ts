import { openSiteBundle } from "./site-bundle.ts";
import { startServer } from "./start-server.ts";

await startServer(({ buildDir }) => openSiteBundle(buildDir));
