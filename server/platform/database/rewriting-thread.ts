import { workerData } from "node:worker_threads";
import { rewriteFile } from "./sqlite.ts";

/** Rewrites the store in a worker thread while the server is running. */
rewriteFile(String(workerData));
