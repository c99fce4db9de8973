import { sessionCookieName } from "../../server/operators/session-cookie.ts";
import { confirmedRequest } from "./confirmed-request.ts";
import { openTestSite } from "./test-site.ts";

/** A week's work for operators: a site on this machine with requests in many states, and two people to do it. */

const names = ["anika", "kabir", "nusrat", "tanvir", "farhana", "rafi", "sadia", "imran", "mitu"];

export type DeskWalk = Awaited<ReturnType<typeof walkDesk>>;

/** @param count how many confirmed requests wait for somebody */
export async function walkDesk(count: number) {
  const site = await openTestSite({ listen: true });
  const references: string[] = [];
  const addressOf = (index: number) => `${names[index % names.length]}.${index}.rahman@uni.example`;
  for (let index = 0; index < count; index++) {
    references.push(await confirmedRequest(site, addressOf(index)));
  }
  return {
    site,
    references,
    addressOf,
    /** The cookie of somebody who is signed in, for a browser's context. */
    async cookieOf(name: string, role: "operator" | "keeper" = "operator") {
      const { cookie } = await site.signInAs(name, role);
      return {
        name: sessionCookieName,
        value: cookie.slice(sessionCookieName.length + 1),
        // Such a cookie is set by a secure origin; Chromium keeps it for this machine's http, too.
        url: site.publicUrl.replace("http:", "https:"),
        secure: true,
        httpOnly: true,
        sameSite: "Lax" as const,
      };
    },
    [Symbol.asyncDispose]: () => site[Symbol.asyncDispose](),
  };
}

/** The desk with a request in every state that operators meet, and one of each that is read elsewhere. */
export async function walkEveryState() {
  const walk = await walkDesk(7);
  const { site, references } = walk;
  const { desk, watch } = site.services;
  await site.signInAs("Nadia");
  await site.signInAs("Rafi");
  await site.signInAs("Tuli", "keeper");
  const [, taken = "", held = "", others = "", refused = "", done = "", extended = ""] = references;
  const today = site.clock().toZonedDateTimeISO("UTC").toPlainDate();
  await desk.act(taken, { type: "take" }, "Nadia");
  await desk.act(others, { type: "take" }, "Rafi");
  await desk.act(
    held,
    { type: "hold", reason: "dues", until: today.add({ days: 6 }), explanation: "" },
    "Nadia",
  );
  await desk.act(refused, { type: "refuse", reason: "no-account", explanation: "" }, "Nadia");
  await desk.act(
    extended,
    { type: "extend", businessDays: 3, explanation: "Exams keep us busy until then." },
    "Nadia",
  );
  await desk.act(done, { type: "take" }, "Nadia");
  const { team } = await watch.presence();
  const rafi = team.find(({ name }) => name === "Rafi");
  const typed = { reason: "exams", from: "2026-11-21", until: "2026-11-27" };
  if (rafi) await watch.goAway(typed, rafi.id, { ...rafi, role: "operator" });
  return { ...walk, states: { taken, held, others, refused, extended, new: references[0] ?? "" } };
}
