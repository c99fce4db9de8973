import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { campusDir, root } from "../tests/harness/campus.ts";
import { startServerProcess } from "../tests/harness/server-process.ts";
import { measureProgram } from "./processes.ts";
import { atMost, median, type Part, ratio } from "./report.ts";

/** The same campus with more and more posts: what a build takes, and how soon the server serves. */
const counts = [14, 1_400, 14_000] as const;
/** Ten times the posts may take ten times what the posts took, and half as much again for what is noise. */
const linear = 1.5;
const mostStartRatio = 2;
const starts = 3;

type Measured = { seconds: number; mb: number; startMs: number };

export async function benchPosts(): Promise<Part> {
  const measured: Measured[] = [];
  for (const count of counts) measured.push(await measure(count));
  const [few, many, most] = measured as [Measured, Measured, Measured];
  const growth = (of: (one: Measured) => number) => {
    const first = (of(many) - of(few)) / (counts[1] - counts[0]);
    return (of(most) - of(many)) / (counts[2] - counts[1]) / first;
  };
  const row = (what: string, figure: number, limit: number, told: (one: Measured) => string) =>
    atMost(what, figure, limit, `${ratio(figure)} (${measured.map(told).join(", ")})`);
  return {
    name: "posts",
    rows: [
      row(
        "a post's part of the build's time: from 1,400 to 14,000 beside from 14 to 1,400",
        growth((one) => one.seconds),
        linear,
        (one) => `${one.seconds.toFixed(0)} s`,
      ),
      row(
        "a post's part of the build's memory, likewise",
        growth((one) => one.mb),
        linear,
        (one) => `${one.mb.toFixed(0)} MB`,
      ),
      row(
        "until the server serves: 14,000 posts beside 14",
        most.startMs / few.startMs,
        mostStartRatio,
        (one) => `${one.startMs.toFixed(0)} ms`,
      ),
    ],
    notes: "Figures in brackets are for 14, 1,400, 14,000 posts.",
  };
}

async function measure(count: number): Promise<Measured> {
  // Inside the project, so that the build finds its packages.
  const folder = mkdtempSync(join(root, "node_modules/.bench-posts-"));
  try {
    const settings = { CAMPUS_DIR: join(folder, "campus"), BUILD_DIR: join(folder, "build") };
    cpSync(campusDir, settings.CAMPUS_DIR, { recursive: true });
    writePosts(join(settings.CAMPUS_DIR, "content"), count);
    const built = await measureProgram(["scripts/build.mjs"], settings);
    const times: number[] = [];
    for (let start = 0; start < starts; start++) {
      const started = performance.now();
      const server = await startServerProcess(settings);
      times.push(performance.now() - started);
      await server.stop();
    }
    return { ...built, startMs: median(times) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** So many posts of the first language alone, each with the text of one of ours, a day apart. */
function writePosts(content: string, count: number): void {
  const posts = join(content, "en/posts");
  const originals = readdirSync(posts).map((name) => readFileSync(join(posts, name), "utf8"));
  // The post that a link leads to need not be there.
  const unlinked = (text: string) => text.replaceAll(/\]\(\/blog\/\d+\)/g, "](/blog)");
  for (const language of readdirSync(content)) {
    rmSync(join(content, language, "posts"), { recursive: true, force: true });
    const questions = join(content, language, "faq.yaml");
    writeFileSync(questions, unlinked(readFileSync(questions, "utf8")));
  }
  mkdirSync(posts);
  const newest = Temporal.PlainDate.from("2026-11-20");
  for (let index = 0; index < count; index++) {
    const date = newest
      .subtract({ days: index })
      .toLocaleString("en-US", { month: "short", day: "numeric", year: "numeric" });
    const text = unlinked(originals[index % originals.length] ?? "")
      .replace(/^id: .*$/m, `id: ${index + 1}`)
      .replace(/^title: .*$/m, `title: "Post number ${index + 1}"`)
      .replace(/^date: .*$/m, `date: "${date}"`)
      .replace(/^listed: .*$/m, "listed: true");
    writeFileSync(join(posts, `${index + 1}-post.md`), text);
  }
}
