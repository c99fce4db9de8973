import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "@playwright/test";
import type { RunOptions } from "axe-core";

const axe = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** axe rules for WCAG 1.3.4, 2.5.3 and 2.5.8, which axe doesn't run by default. */
const rulesToo = {
  "css-orientation-lock": { enabled: true },
  "label-content-name-mismatch": { enabled: true },
  "target-size": { enabled: true },
};

/**
 * Runs axe on the current page and returns its findings. Without `rules`, runs axe's default rules
 * and `rulesToo`.
 */
export async function findFaults(
  page: Pick<Page, "evaluate">,
  rules?: string[],
): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe);
  const options: RunOptions = rules
    ? { runOnly: { type: "rule", values: rules } }
    : { rules: rulesToo };
  return page.evaluate(async (wanted) => {
    const { axe } = window as unknown as { axe: typeof import("axe-core") };
    const { violations } = await axe.run({ ...wanted, resultTypes: ["violations"] });
    return violations.map(
      ({ id, help, nodes }) =>
        `${id}: ${help}: ${nodes.map(({ target, any }) => `${target} ${any[0]?.data?.contrastRatio ?? ""}`).join(" | ")}`,
    );
  }, options);
}
