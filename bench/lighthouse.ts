import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import { inLanguage } from "../server/language/in-language.ts";
import { campus, categoryPaths, postPaths } from "../tests/harness/campus.ts";
import { findFreePort } from "../tests/harness/free-port.ts";
import { startServerProcess } from "../tests/harness/server-process.ts";
import { median, type Part, type Row } from "./report.ts";

/**
 * Brought by npm when it is wanted and kept in npm's own cache: no dependency of the project (decision 0003). Its error
 * reports are turned off.
 */
const lighthouse = "lighthouse@13.5.0";

/** Every page that is not one of many of its kind, and the first category and post. */
const pages = [
  "/",
  "/blog",
  ...categoryPaths.slice(1, 2),
  ...postPaths.slice(0, 1),
  "/faq",
  "/privacy-policy",
  "/terms-conditions",
  "/delete-my-account",
];
/** A page that misses is asked again, and its middle figure counts: one run may meet a hiccup of the machine. */
const runs = 5;
const categories = ["performance", "accessibility", "best-practices", "seo"];

type Report = {
  runtimeError?: { message: string };
  categories: Record<string, { title: string; score: number | null }>;
  audits: Record<string, { displayValue?: string }>;
};

/** The one without a window leaves the processors to the page. */
const browsers = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];

/**
 * Lighthouse's four figures of every page in every language of the campus, as a slow phone has it. All are asked in one
 * browser that has shown a page before: a browser's own start, on a machine with few processors, is no fault of a page.
 */
export async function benchLighthouse(): Promise<Part> {
  const executablePath = process.env.CHROME_PATH ?? browsers.find((path) => existsSync(path));
  if (!executablePath || !existsSync(executablePath)) {
    return { name: "lighthouse", rows: [], notes: ["Not measured: no Chromium (CHROME_PATH)."] };
  }
  const port = await findFreePort();
  const browser = await chromium.launch({
    executablePath,
    args: [
      `--remote-debugging-port=${port}`,
      ...["--no-sandbox", "--disable-background-networking", "--disable-component-update"],
    ],
  });
  const server = await startServerProcess();
  const folder = mkdtempSync(join(tmpdir(), "lighthouse-"));
  const rows: Row[] = [];
  try {
    await ask(server.url, join(folder, "report.json"), port);
    for (const page of pages.flatMap(inEachLanguage)) {
      const visit = () => ask(`${server.url}${page}`, join(folder, "report.json"), port);
      const reports = [await visit()];
      while (reports.length < runs && !isWhole(reports[0])) reports.push(await visit());
      const scores = Object.entries(reports[0]?.categories ?? {}).map(([key, { title }]) => ({
        title,
        score: median(reports.map((report) => scoreOf(report, key))),
      }));
      const last = reports.at(-1)?.audits ?? {};
      const told = (id: string) => last[id]?.displayValue?.replaceAll("\u00a0", " ") ?? "?";
      console.log(`${page}: ${scores.map(({ score }) => score).join(", ")}`);
      rows.push({
        what: `\`${page}\`: ${scores.map(({ title }) => title.toLowerCase()).join(", ")}`,
        figure: `${scores.map(({ score }) => score).join(", ")} (largest paint ${told("largest-contentful-paint")}, blocked ${told("total-blocking-time")})`,
        limit: "100 in each",
        held: scores.length === categories.length && scores.every(({ score }) => score === 100),
      });
    }
    return { name: "lighthouse", rows, notes: [`By ${lighthouse}, its slow phone.`] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await server.stop();
    await browser.close();
  }
}

function inEachLanguage(path: string): string[] {
  const others = Object.keys(campus.settings.translations);
  return [path, ...others.map((language) => inLanguage(path, language))];
}

function scoreOf(report: Report, key: string): number {
  return Math.round((report.categories[key]?.score ?? 0) * 100);
}

function isWhole(report: Report | undefined): boolean {
  return (
    report !== undefined &&
    Object.keys(report.categories).every((key) => scoreOf(report, key) === 100)
  );
}

/** @throws when Lighthouse ends without a report. It sometimes loses a page's trace, so it is asked up to three times. */
async function ask(url: string, file: string, port: number, attempt = 1): Promise<Report> {
  rmSync(file, { force: true });
  const child = spawn(
    "npm",
    [
      ...["exec", "--yes", `--package=${lighthouse}`, "--", "lighthouse", url],
      ...["--output=json", `--output-path=${file}`, "--quiet", "--no-enable-error-reporting"],
      ...[`--only-categories=${categories}`, `--port=${port}`],
    ],
    { cwd: tmpdir(), stdio: ["ignore", "ignore", "pipe"] },
  );
  let said = "";
  child.stderr.on("data", (chunk) => {
    said += chunk;
  });
  const code = await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  const report = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Report) : undefined;
  if (code === 0 && report && !report.runtimeError) return report;
  if (attempt < 3) return await ask(url, file, port, attempt + 1);
  throw new Error(
    `${lighthouse} ended with ${code} on ${url}:\n${report?.runtimeError?.message ?? said}`,
  );
}
