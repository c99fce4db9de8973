import { createLimitedServer } from "../http/http-server.ts";
import { paths } from "../http/paths.ts";
import type { SiteBundle } from "../site-bundle.ts";
import { type Drill, type Environment, openDrill, readClock, setClock } from "./drill-site.ts";

/**
 * The pages of a drill on a port of this machine. While they are open its clock goes as all clocks do; a command in
 * another window may let more time pass.
 */

const defaultPort = 3100;
const tickMs = 1_000;

/** @param options.isStill keeps the clock where it is, for pictures */
export async function openDrillPages(
  folder: string,
  options: {
    environment: Environment;
    openBundle: (buildDir: string) => Promise<SiteBundle>;
    port?: number | undefined;
    isStill?: boolean;
  },
) {
  const port = options.port ?? defaultPort;
  const drill = await openDrill(folder, { ...options, port });
  const { publicUrl } = drill.site;
  const { health } = drill.site;
  const { listener } = drill.createSite({
    ...drill.site,
    isDrill: true,
    // Nobody makes copies of a drill, so that none is missing.
    health: {
      ...health,
      signs: async () =>
        (await health.signs()).filter(({ kind }) => kind !== "backup" && kind !== "export"),
    },
  });
  const { listen, stop } = createLimitedServer(listener, { isProxy: () => false });
  await listen(port, "localhost");

  let told = drill.now();
  let ticked = performance.now();
  async function tick(): Promise<void> {
    const stored = await readClock(folder);
    const passed = Math.round(performance.now() - ticked);
    ticked += passed;
    const later = Temporal.Instant.compare(stored, told) > 0 ? stored : told;
    told = later.add({ milliseconds: passed });
    drill.setNow(told);
    await setClock(folder, told);
  }
  let ticking: Promise<void> = Promise.resolve();
  const timer = options.isStill
    ? undefined
    : setInterval(() => {
        ticking = ticking.then(tick);
      }, tickMs);
  if (timer) drill.rounds.start();

  return {
    drill,
    publicUrl,

    /** New links for those who practise; whoever made a passkey before keeps it. */
    invite: () => invite(drill),

    async close(): Promise<void> {
      clearInterval(timer);
      await ticking;
      await stop();
      if (timer) await drill.rounds.stop();
      await drill.close();
    },
  };
}

async function invite({ site }: Drill): Promise<{ name: string; link: string }[]> {
  const invited: { name: string; link: string }[] = [];
  for (const [name, admin] of [
    ["Nadia", true],
    ["Tariq", false],
  ] as const) {
    const address = `${name.toLowerCase()}@uni.example`;
    const made = await site.team.invite({ name, address, admin, again: true }, "drill");
    if (made.kind === "invited") invited.push({ name, link: made.link });
  }
  return invited;
}

/** Shows the pages until somebody ends it, and says how to come in. */
export async function showPages(
  folder: string,
  services: {
    environment: Environment;
    openBundle: (buildDir: string) => Promise<SiteBundle>;
    say: (text: string) => void;
    /** Resolves when they are to be closed. */
    until: Promise<unknown>;
  },
  port: number | undefined,
): Promise<void> {
  const pages = await openDrillPages(folder, { ...services, port });
  const links = (await pages.invite()).map(({ name, link }) => `  ${name.padEnd(6)} ${link}\n`);
  services.say(
    `The drill's pages are at ${pages.publicUrl}${paths.operator}. Nothing there is real, and no mail leaves.
Make a passkey with one of these links, each good once (Nadia is an admin), or sign in with the one you have:
${links.join("")}Open the second one in another browser. Its clock goes on now; in another window
"npm run drill -- pass 1 day" lets more time pass. Ctrl-C closes the pages.
`,
  );
  await services.until;
  await pages.close();
}
