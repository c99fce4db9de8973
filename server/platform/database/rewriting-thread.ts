import { workerData } from "node:worker_threads";
import { rewriteFile } from "./sqlite.ts";

/** Worker thread that rewrites the store while the server runs. */
rewriteFile(String(workerData));
