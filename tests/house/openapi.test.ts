import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseDocument } from "yaml";
import { toOpenApiSchemas } from "../../server/account-system/contract/schemas.ts";
import { root } from "../harness/campus.ts";

const file = join(root, "docs/account-system.openapi.yaml");

// To update the document from the schemas: `npm run test:unit -- openapi -u`
test("the OpenAPI document contains exactly the message schemas", async () => {
  const document = parseDocument(readFileSync(file, "utf8"));
  document.setIn(["components", "schemas"], document.createNode(toOpenApiSchemas()));
  await expect(document.toString({ lineWidth: 120 })).toMatchFileSnapshot(file);
});
