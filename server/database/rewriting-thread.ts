import { workerData } from "node:worker_threads";
import { rewriteFile } from "./sqlite.ts";

/** Rewrites the store beside the server. */
rewriteFile(String(workerData));
