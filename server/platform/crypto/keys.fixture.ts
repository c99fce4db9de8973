import { randomBytes } from "node:crypto";
import { createKeys, parseKeys } from "./keys.ts";

export const createKeyText = (version = 1) => `${version}:${randomBytes(32).toString("base64url")}`;

export const createTestKeys = (version = 1) => createKeys(parseKeys(createKeyText(version)) ?? []);
