import { spawn } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findFreePort } from "../tests/harness/free-port.ts";
import { median, type Part, type Row, ratio } from "./report.ts";

/** The same campus with more and more posts: what a build takes, and how soon the server serves. */
const counts = [14, 1_400, 14_000] as const;
/** Ten times the posts may take ten times what the posts took, and half as much again for what is noise. */
const linear = 1.5;
const mostStartRatio = 2;
const starts = 3;

const root = join(import.meta.dirname, "..");
const sources = ["app", "campus", "server", "vite", "scripts"];
const files = ["package.json", "react-router.config.ts", "tsconfig.json", "vite.config.ts"];

type Measured = { seconds: number; peakMb: number; startMs: number };

export async function benchPosts(): Promise<Part> {
  const measured: Measured[] = [];
  for (const count of counts) measured.push(await measure(count));
  const [few, many, most] = measured as [Measured, Measured, Measured];
  const growth = (of: (one: Measured) => number) => {
    const first = (of(many) - of(few)) / (counts[1] - counts[0]);
    return (of(most) - of(many)) / (counts[2] - counts[1]) / first;
  };
  const row = (what: string, figure: number, limit: number, told: string): Row => ({
    what,
    figure: `${ratio(figure)} (${told})`,
    limit: `${limit}x at most`,
    held: figure <= limit,
  });
  const list = (of: (one: Measured) => string) => measured.map(of).join(", ");
  const numbers = counts.map((count) => count.toLocaleString("en")).join(", ");
  return {
    name: "posts",
    rows: [
      row(
        "a post's part of the build's time: from 1,400 to 14,000 beside from 14 to 1,400",
        growth((one) => one.seconds),
        linear,
        list((one) => `${one.seconds.toFixed(0)} s`),
      ),
      row(
        "a post's part of the build's memory, likewise",
        growth((one) => one.peakMb),
        linear,
        list((one) => `${one.peakMb.toFixed(0)} MB`),
      ),
      row(
        "until the server serves: 14,000 posts beside 14",
        most.startMs / few.startMs,
        mostStartRatio,
        list((one) => `${one.startMs.toFixed(0)} ms`),
      ),
    ],
    notes: [`Figures in brackets are for ${numbers} posts.`],
  };
}

async function measure(count: number): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), "bench-posts-"));
  try {
    for (const name of sources) cpSync(join(root, name), join(folder, name), { recursive: true });
    for (const name of files) cpSync(join(root, name), join(folder, name));
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    for (const language of readdirSync(join(folder, "campus/content"))) {
      if (language === "en") continue;
      rmSync(join(folder, "campus/content", language, "posts"), { recursive: true, force: true });
    }
    writePosts(join(folder, "campus/content/en/posts"), count);
    const { seconds, peakMb } = await build(folder);
    const times: number[] = [];
    for (let start = 0; start < starts; start++) times.push(await timeStart(folder));
    return { seconds, peakMb, startMs: median(times) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** So many posts, each with the text of one of ours, a day apart. */
function writePosts(posts: string, count: number): void {
  const originals = readdirSync(posts).map((name) => readFileSync(join(posts, name), "utf8"));
  rmSync(posts, { recursive: true });
  mkdirSync(posts);
  const newest = Temporal.PlainDate.from("2026-11-20");
  for (let index = 0; index < count; index++) {
    const date = newest
      .subtract({ days: index })
      .toLocaleString("en-US", { month: "short", day: "numeric", year: "numeric" });
    const text = (originals[index % originals.length] ?? "")
      .replace(/^id: .*$/m, `id: ${index + 1}`)
      .replace(/^title: .*$/m, `title: "Post number ${index + 1}"`)
      .replace(/^date: .*$/m, `date: "${date}"`)
      .replace(/^listed: .*$/m, "listed: true")
      // The post that these links lead to need not be there.
      .replaceAll(/\]\(\/blog\/\d+\)/g, "](/blog)");
    writeFileSync(join(posts, `${index + 1}-post.md`), text);
  }
}

function build(folder: string): Promise<{ seconds: number; peakMb: number }> {
  const report = join(folder, "peak");
  // The build's own process tells what it held at most when it ends.
  const teller = join(folder, "tell-peak.mjs");
  writeFileSync(
    teller,
    `import { writeFileSync } from "node:fs";
process.on("exit", () => writeFileSync(${JSON.stringify(report)}, String(process.resourceUsage().maxRSS)));`,
  );
  const started = performance.now();
  const cli = join(root, "node_modules/@react-router/dev/bin.cjs");
  const child = spawn(process.execPath, ["--import", teller, cli, "build"], {
    cwd: folder,
    env: { ...process.env, NODE_ENV: "production" },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => {
    said += chunk.toString();
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => {
      if (code !== 0) return reject(new Error(`The build of many posts failed:\n${said}`));
      const seconds = (performance.now() - started) / 1_000;
      resolve({ seconds, peakMb: Number(readFileSync(report, "utf8")) / 1_024 });
    });
  });
}

/** Milliseconds from the start of the process to its word that it serves. */
async function timeStart(folder: string): Promise<number> {
  const port = await findFreePort();
  const started = performance.now();
  const child = spawn(process.execPath, [join(folder, "server/main.ts")], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      NODE_ENV: "production",
      HOST: "127.0.0.1",
      PORT: String(port),
      DATA_DIR: join(folder, "data"),
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const served = await new Promise<number>((resolve, reject) => {
    child.stdout.on("data", (chunk: Buffer) => {
      if (chunk.toString().includes("Serving ")) resolve(performance.now() - started);
    });
    child.once("exit", () => reject(new Error("The server with many posts ended early")));
  });
  child.kill("SIGTERM");
  await ended;
  return served;
}
