import { openSiteBundle } from "./site-bundle.ts";
import { startServer } from "./start.ts";

await startServer(({ buildDir }) => openSiteBundle(buildDir));
