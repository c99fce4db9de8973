import { join } from "node:path";
import { expect, test } from "vitest";
import { campus, campusDir } from "../harness/campus.ts";
import { copyCampus } from "../harness/campus-copy.ts";
import { runToEnd, startServerProcess } from "../harness/server-process.ts";

test("`npm run dev` serves CAMPUS_DIR from source and reloads changed files", {
  timeout: 300_000,
}, async () => {
  using other = copyCampus(campusDir);
  const { language, product } = campus.settings;
  const questions = `content/${language}/faq.yaml`;
  other.change("campus.yaml", new RegExp(`product: "${product}"`), 'product: "Otherwise"');
  other.change("calendar.yaml", /weekend: \[[\d, ]*\]/, "weekend: [1]");
  other.change(questions, /question: ".*"/, 'question: "Is this another campus?"');
  other.change("theme.css", /--primary: #\w+/, "--primary: #123456");

  const server = await startServerProcess(
    { NODE_ENV: "development", CAMPUS_DIR: other.folder },
    undefined,
    "vite/development.ts",
  );
  const read = async (path: string) => (await fetch(server.url + path)).text();
  const page = await read("/faq");
  expect(page).toContain("Is this another campus?");
  expect(page).toContain('src="/@vite/client"');
  expect((await server.health()).status).toBe(200);
  expect(page).toMatch(/<title>[^<]*Otherwise[^<]*<\/title>/);
  expect(await read("/@react-router/critical.css?pathname=/faq")).toContain("--primary: #123456");
  other.change(questions, "Is this another campus?", "Was this saved a moment ago?");
  // The watcher may start too late to notice the first save, so this saves the file again.
  const saved = other.read(questions);
  await expect
    .poll(
      async () => {
        const shown = await read("/faq");
        if (shown.includes("Is this another campus?")) other.write(questions, saved);
        return shown;
      },
      { timeout: 150_000, interval: 2000 },
    )
    .toContain("Was this saved a moment ago?");
  const [picture = ""] = /\/art\/[\w.-]+/.exec(page) ?? [];
  expect((await fetch(server.url + picture)).status).toBe(200);
  other.write(questions, `- "${saved}`);
  const shown = () => expect.poll(() => read("/faq"), { timeout: 20_000 });
  await shown().toMatch(/^<script type="module" src="\/@vite\/client">.*faq\.yaml:\d+: /);
  // While the source has an error, images on an open page fail.
  expect((await fetch(server.url + picture)).status).toBe(500);
  other.write(questions, saved);
  await shown().toContain("Was this saved a moment ago?");
  expect((await fetch(server.url + picture)).status).toBe(200);
  const theme = other.read("theme.css");
  const onPrimary = /--on-primary: #\w+/;
  other.write("theme.css", theme.replace(onPrimary, "--on-primary: #123456"));
  await shown().toMatch(/theme\.css:\d+: light --on-primary: has a contrast of 1/);
  other.write("theme.css", theme);
  await shown().toContain("Was this saved a moment ago?");
  await server.stop();

  const show = (folder: string) =>
    runToEnd("server/cli/calendar.ts", { CAMPUS_DIR: folder }, ["show", "2027"]);
  expect((await show(other.folder)).stdout).toContain("Weekend: Monday.");
  expect(await show(join(other.folder, "x"))).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringMatching(/campus\.yaml: \(whole file\): cannot be read; /),
  });
});

test("`npm run dev` starts despite a broken campus and restarts when a setting changes", {
  timeout: 300_000,
}, async () => {
  using other = copyCampus(campusDir);
  const settings = other.read("campus.yaml");
  other.write("campus.yaml", settings.replace(/^emergency: .*$/m, 'emergency: "llZ"'));
  const server = await startServerProcess(
    { CAMPUS_DIR: other.folder },
    undefined,
    "scripts/dev.mjs",
  );
  const read = () => fetch(`${server.url}/faq`).then((page) => page.text(), String);
  expect(await read()).toMatch(/campus\.yaml:\d+: emergency: must be a telephone number/);
  other.write("campus.yaml", settings);
  await expect.poll(read, { timeout: 150_000, interval: 1000 }).toContain("</html>");
  const starts = () => server.output.stdout.split("Serving ").length;
  const before = starts();
  other.change("calendar.yaml", /weekend: \[[\d, ]*\]/, "weekend: [1]");
  await expect.poll(starts, { timeout: 150_000, interval: 1000 }).toBe(before + 1);
  await expect.poll(read, { timeout: 150_000, interval: 1000 }).toContain("</html>");
  expect((await server.stop()).signal).toBe(null);
});
