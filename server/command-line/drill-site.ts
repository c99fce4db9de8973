import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pino } from "pino";
import { z } from "zod";
import { readConfig } from "../config.ts";
import { drillMark } from "../drill-mark.ts";
import { openFoundation } from "../open.ts";
import { createServices } from "../services.ts";
import type { SiteBundle } from "../site-bundle.ts";

/**
 * A site to practise on: the whole service on a folder of its own, with a clock that stands still until somebody sets it.
 * Whatever the environment says of mail servers, account systems and data folders is not heeded, so that nothing real can
 * be reached from here.
 */

const markSchema = z.strictObject({ now: z.string() });

export type Drill = Awaited<ReturnType<typeof openDrill>>;

export function isDrill(folder: string): boolean {
  return existsSync(join(folder, drillMark));
}

export async function makeDrillFolder(folder: string, now: Temporal.Instant): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await setClock(folder, now);
}

export async function removeDrill(folder: string): Promise<void> {
  if (isDrill(folder)) await rm(folder, { recursive: true });
}

/** Another program of the same drill may read it at this moment: it finds the time before or this one. */
export async function setClock(folder: string, now: Temporal.Instant): Promise<void> {
  const file = join(folder, drillMark);
  const text = `${JSON.stringify({ now: now.toString() })}\n`;
  await writeFile(`${file}.next`, text, { mode: 0o600 });
  await rename(`${file}.next`, file);
}

export async function readClock(folder: string): Promise<Temporal.Instant> {
  const mark = markSchema.parse(JSON.parse(await readFile(join(folder, drillMark), "utf8")));
  return Temporal.Instant.from(mark.now);
}

export type Environment = Record<string, string | undefined>;

/**
 * The settings of a drill: this folder, the campus and its build, and nothing else of the environment.
 * @param port where its pages are, if they are to be seen
 */
export function configOf(folder: string, { CAMPUS_DIR, BUILD_DIR }: Environment, port?: number) {
  const read = readConfig({
    DATA_DIR: resolve(folder),
    CAMPUS_DIR,
    BUILD_DIR,
    LOG_LEVEL: "silent",
    ...(port !== undefined && { PORT: String(port), PUBLIC_URL: `http://localhost:${port}` }),
  });
  if (!read.ok) throw new Error(read.problems.join(" "));
  return read.config;
}

export async function openDrill(
  folder: string,
  options: {
    environment: Environment;
    openBundle: (buildDir: string) => Promise<SiteBundle>;
    create?: boolean;
    /** Where its pages are to be seen. */
    port?: number;
  },
) {
  let now = await readClock(folder);
  const config = configOf(folder, options.environment, options.port);
  const opened = await openFoundation(config, {
    create: options.create ?? false,
    clock: () => now,
    drill: true,
  });
  if (!opened.ok) throw new Error(opened.problem);
  const { foundation } = opened;
  const bundle = await options.openBundle(config.buildDir);
  const { site, rounds } = createServices(foundation, {
    campus: bundle.campus,
    translations: bundle.translations,
    look: bundle.theme,
    bundle,
    log: pino({ enabled: false }),
  });

  return {
    foundation,
    /** The campus in each of its languages. */
    spoken: [bundle.campus, ...bundle.translations] as const,
    site,
    rounds,
    createSite: bundle.createSite,
    /** Does what the server would have done by now. */
    settle: rounds.runOnce,
    now: () => now,
    /** Where somebody else keeps the clock. */
    setNow(at: Temporal.Instant): void {
      now = at;
    },

    /** Lets time pass, and the server do what it would do meanwhile. The clock never goes back. */
    async passUntil(later: Temporal.Instant): Promise<void> {
      while (Temporal.Instant.compare(now, later) < 0) {
        const next = now.add({ hours: 1 });
        now = Temporal.Instant.compare(next, later) > 0 ? later : next;
        await rounds.runOnce();
      }
      await setClock(folder, now);
    },

    listMails: () => listMails(foundation.mailFiles.folder),

    readMail: (name: string) => readFile(join(foundation.mailFiles.folder, name), "utf8"),

    close: () => foundation.database.close(),
  };
}

/** The mails that were written so far, oldest first. */
async function listMails(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => name.endsWith(".eml")).sort();
}

/** The text of a mail, as its reader sees it. */
export function textOfMail(source: string): string {
  const boundaries = [...source.matchAll(/boundary="([^"]+)"/g)].map(([, boundary]) => boundary);
  const parts = boundaries.reduce(
    (found, boundary) => found.flatMap((part) => part.split(`--${boundary}`)),
    [source],
  );
  const part = parts.find((one) => /^\s*Content-Type: text\/plain/i.test(one)) ?? source;
  const end = /\r?\n\r?\n/.exec(part);
  const [head, body] = end
    ? [part.slice(0, end.index), part.slice(end.index + end[0].length).trimEnd()]
    : ["", part];
  if (/Content-Transfer-Encoding: base64/i.test(head)) {
    return Buffer.from(body, "base64").toString("utf8");
  }
  if (!/Content-Transfer-Encoding: quoted-printable/i.test(head)) return body;
  const joined = body.replace(/=\r?\n/g, "");
  const bytes = joined.replace(/=([0-9A-F]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, "latin1").toString("utf8");
}
