import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../tests/harness/campus.ts";
import { drawRooms, readRooms, withPicture } from "../tests/harness/rooms.ts";

/** `npm run weight -- rooms`: draws the rooms of the server, as the code has them, into docs/architecture.md. */

const path = join(root, "docs/architecture.md");
writeFileSync(path, withPicture(readFileSync(path, "utf8"), drawRooms(readRooms())));
