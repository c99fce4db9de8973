import { parseEmailAddress } from "../addresses/email-address.ts";
import { dateAt } from "../calendar/business-days.ts";
import { placesToTick } from "../deletion-requests/life/checklist.ts";
import { createFormKey } from "../deletion-requests/life/form-key.ts";
import { createDesk } from "../deletion-requests/working/desk.ts";
import { claimMessages, failMessage } from "../outbox/outbox.ts";
import { type Drill, textOfMail } from "./drill-site.ts";
import { runCommand as runOperators } from "./operators.ts";
import { runCommand as runRequests } from "./requests.ts";
import { sampleWords } from "./sample-words.ts";
import type { Outcome } from "./start.ts";

/** Forty requests as a semester brings them, each really sent, confirmed and worked on by the same commands. */

type Kind =
  | "unconfirmed"
  | "waiting"
  | "taken"
  | "late"
  | "extended"
  | "held"
  | "entered"
  | "undelivered"
  | "just-done"
  | "completed"
  | "cancelled"
  | "refused"
  | "reopened";

/** Of each kind so many, begun so many days before the drill's first day. */
const plan: readonly { kind: Kind; daysAgo: readonly number[] }[] = [
  { kind: "completed", daysAgo: [34, 33, 31, 28, 27] },
  { kind: "refused", daysAgo: [30, 26] },
  { kind: "cancelled", daysAgo: [29, 12, 5] },
  { kind: "late", daysAgo: [24, 20] },
  { kind: "reopened", daysAgo: [16] },
  { kind: "extended", daysAgo: [19, 17] },
  { kind: "held", daysAgo: [15, 9, 6] },
  { kind: "taken", daysAgo: [13, 10, 8, 5] },
  { kind: "waiting", daysAgo: [14, 12, 11, 9, 7, 4, 3, 2, 1] },
  { kind: "unconfirmed", daysAgo: [1.5, 1.25, 1, 0.5] },
  { kind: "entered", daysAgo: [4, 2] },
  { kind: "undelivered", daysAgo: [1.5] },
  { kind: "just-done", daysAgo: [7, 5] },
];

const reasons = ["no-longer-needed", "privacy-concerns", "too-many-notifications", "other"];

/** The address of one of them; where there are fewer names, they are numbered. */
function addressOf(names: readonly string[], index: number, place = "uni"): string {
  const round = Math.floor(index / names.length);
  return `${names[index % names.length]}${round === 0 ? "" : round + 1}@${place}.example`;
}

/** How many requests a drill begins with. */
export const drillRequests = plan.reduce((sum, { daysAgo }) => sum + daysAgo.length, 0);

/** Where the first day of a semester's drill begins to be played. */
export const playedDays = 36;

/** @param firstDay when the drill begins; the clock of `drill` stands `playedDays` before it */
export async function playSemester(drill: Drill, firstDay: Temporal.Instant): Promise<void> {
  const { foundation, spoken } = drill;
  const { languages } = foundation;
  const { sampleNames } = spoken[0].settings;
  const offered = reasons.filter((code) => code in spoken[0].deletion.form.reasons);
  /** Two in each language of the campus by turns, so that everybody on the team has some of all. */
  const languageOf = (index: number) => languages[Math.floor(index / 2) % languages.length];
  const wordsOf = (index: number) =>
    sampleWords(
      spoken.find(({ settings }) => settings.language === languageOf(index)) ?? spoken[0],
    );
  const requests = (...words: string[]) => must(runRequests(words, foundation), words);
  await must(runOperators(["add", "Nadia"], foundation), ["add", "Nadia"]);
  await must(runOperators(["add", "Tariq"], foundation), ["add", "Tariq"]);

  const desk = createDesk(foundation);
  async function enter(who: { email: string; contact: string; proof: string }, name: string) {
    const [email, contact] = [parseEmailAddress(who.email), parseEmailAddress(who.contact)];
    if (!email.ok || !contact.ok) throw new Error(`${who.email} is no address`);
    const said = { proof: who.proof, reason: "other", receivedAt: drill.now() } as const;
    await desk.enterRequest({ email: email.email, contact: contact.email, ...said }, name);
  }

  const steps: { at: Temporal.Instant; run: () => Promise<unknown> }[] = [];
  const later = (at: Temporal.Instant, run: () => Promise<unknown>) => {
    // Nothing is acted out after the drill's first moment.
    if (Temporal.Instant.compare(at, firstDay) <= 0) steps.push({ at, run });
  };

  async function press(reference: string, act: "confirm" | "cancel"): Promise<void> {
    const result = await actAsPerson(drill, reference, act);
    if (result !== "done") throw new Error(`${reference} could not ${act}: ${result}`);
  }

  async function ask(email: string, index: number, feedback: string): Promise<string> {
    const fields = {
      email,
      reason: offered[index % offered.length],
      feedback: index % 7 === 0 ? feedback : "",
      confirmation: "on",
      formKey: createFormKey(),
    };
    const result = await drill.site.submitting.submit(fields, languageOf(index));
    if (result.kind !== "stored") throw new Error(`The form of ${email} was not stored`);
    return result.submission.reference;
  }

  let index = 0;
  for (const { kind, daysAgo } of plan) {
    for (const ago of daysAgo) {
      const email = addressOf(sampleNames, index);
      const number = index++;
      const { feedback, explanation, reopened } = wordsOf(number);
      const name = number % 2 === 0 ? "Nadia" : "Tariq";
      const as = ["--as", name];
      const at = firstDay.subtract({ hours: ago * 24 }).add({ minutes: number * 3 });
      let reference = "";
      const day = (days: number) => at.add({ hours: days * 24 });
      const justNow = firstDay.subtract({ minutes: 4 });
      const complete = () =>
        requests(
          ...["act", "complete", reference, `address=${email}`, "account=user"],
          ...[...placesToTick(foundation.dataList).map((place) => `at-${place}=done`), ...as],
        );
      if (kind === "entered") {
        const proof = foundation.dataList.ownershipProofs[0]?.key ?? "";
        const contact = addressOf(sampleNames, number, "home");
        later(at, () => enter({ email, contact, proof }, name));
        continue;
      }
      later(at, async () => {
        reference = await ask(email, number, feedback);
        if (kind === "undelivered") await bounce(drill);
      });
      if (kind === "unconfirmed" || kind === "undelivered") continue;
      later(at.add({ minutes: 25 }), () => press(reference, "confirm"));
      switch (kind) {
        case "cancelled":
          later(day(2), () => press(reference, "cancel"));
          break;
        case "refused":
          later(day(3), () => requests("act", "refuse", reference, "reason=no-account", ...as));
          break;
        case "extended":
          later(day(5), () =>
            requests(
              ...["act", "later", reference, "reason=time", "days=5"],
              ...[`explanation=${explanation}`, ...as],
            ),
          );
          break;
        case "held": {
          const until = dateAt(
            foundation.calendar,
            firstDay.add({ hours: (number % 2 === 0 ? 9 : 3) * 24 }),
          );
          const hold = { type: "hold", reason: "dues", until, explanation: "" } as const;
          later(day(2), () => requests("act", "take", reference, ...as));
          later(day(3), () => desk.act(reference, hold, name));
          break;
        }
        case "taken":
        case "completed":
        case "reopened":
        case "just-done":
          later(day(2), () => requests("act", "take", reference, ...as));
          break;
        case "waiting":
        case "late":
          break;
      }
      if (kind === "just-done") later(justNow, complete);
      if (kind === "completed" || kind === "reopened") later(day(4), complete);
      if (kind === "reopened") {
        later(day(6), () => requests("act", "undo", reference, `explanation=${reopened}`, ...as));
      }
    }
  }

  for (const { at, run } of steps.sort((a, b) => Temporal.Instant.compare(a.at, b.at))) {
    await drill.passUntil(at);
    await run();
    await drill.settle();
  }
  await drill.passUntil(firstDay);
}

/** Presses the button behind the link in the newest mail of a request, as its person would. */
export async function actAsPerson(
  drill: Drill,
  reference: string,
  act: "confirm" | "cancel",
): Promise<"done" | "no-mail" | "refused"> {
  const { visits } = drill.site;
  const mails = (await drill.listMails()).filter(
    (name) => name.includes(` ${reference} `) && (act === "cancel" || name.includes(" confirm ")),
  );
  let link: string | undefined;
  // Mails to the team carry none.
  for (const name of mails.reverse()) {
    link ??= /[?&]link=([\w-]+)/.exec(textOfMail(await drill.readMail(name)))?.[1];
  }
  if (!link) return "no-mail";
  const opened = await visits.openLink(link);
  if (opened.kind !== "visit") return "refused";
  const result = await visits[act](opened.visit);
  return result.kind === "done" ? "done" : "refused";
}

/** The mail that waits comes back: there is no such mailbox. */
async function bounce({ foundation, now }: Drill): Promise<void> {
  const { database, keys } = foundation;
  const problem = "recipient refused (550)";
  for (const item of await claimMessages(database, keys, now(), "person", 1)) {
    await database.write((transaction) =>
      failMessage(transaction, item, { problem, permanent: true }, now(), 0),
    );
  }
}

async function must(outcome: Promise<Outcome>, words: readonly string[]): Promise<void> {
  const { code, problem, out } = await outcome;
  if (code !== 0) throw new Error(`${words.join(" ")}: ${problem ?? out}`);
}
