import { workerData } from "node:worker_threads";
import { rewriteFile } from "./sqlite.ts";

/** Entry point of the worker thread that rewrites the store while the server is running. */
rewriteFile(String(workerData));
