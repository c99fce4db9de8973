import type { Campus } from "../../campus-reader/campus.ts";
import { parseEmailAddress } from "../addresses/email-address.ts";
import { enterCopy } from "../database/last-copies.ts";
import { placesToTick } from "../deletion-requests/life/checklist.ts";
import { createFormKey } from "../deletion-requests/life/request.ts";
import { findSubmissionByReference } from "../deletion-requests/store/forms.ts";
import { addLink } from "../deletion-requests/store/links.ts";
import type { Asked } from "../deletion-requests/working/acts.ts";
import { fillIn } from "../forms/typed.ts";
import type { Foundation } from "../open.ts";
import { addOperator } from "../operators/operators.ts";
import { claimMessages, failMessage } from "../outbox/outbox.ts";
import type { SiteServices } from "../services.ts";
import { sampleWords } from "./sample-words.ts";

/** Simulates a semester: forty requests, each really sent, confirmed and worked on. */

/** A site with a clock that the program sets. */
export type Practice = {
  foundation: Foundation;
  /** The campus in each of its languages. */
  campuses: readonly Campus[];
  site: Pick<SiteServices, "submitting" | "visits" | "desk">;
  rounds: { runOnce(): Promise<void> };
  setClock(at: Temporal.Instant): void;
};

type Act = keyof ReturnType<typeof createActs>;

/** Acts on a request, by minutes since it was begun. */
type Story = readonly (readonly [minutes: number, act: Act])[];

/** Days of the semester before the first day of a drill. */
export const playedDays = 36;

const day = 24 * 60;
const asked: Story = [[0, "ask"]];
const confirmed: Story = [...asked, [25, "confirm"]];
const taken: Story = [...confirmed, [2 * day, "take"]];
const begun: Story = [...taken, [2 * day + 20, "begin"]];
const completed: Story = [...begun, [4 * day, "complete"]];
/**
 * Latest time of an act: a few minutes before the first day, so that its receipt has not left.
 */
const justNow = playedDays * day;

/** Stories, and how many days before the first day each begins. */
const plan: readonly { story: Story; daysAgo: readonly number[] }[] = [
  { story: completed, daysAgo: [34, 33, 31, 28, 27] },
  { story: [...confirmed, [3 * day, "refuse"]], daysAgo: [30, 26] },
  { story: [...confirmed, [2 * day, "cancel"]], daysAgo: [29, 12, 5] },
  // Late requests.
  { story: confirmed, daysAgo: [24, 20] },
  { story: [...completed, [6 * day, "undo"]], daysAgo: [16] },
  { story: [...confirmed, [5 * day, "later"]], daysAgo: [19, 17] },
  { story: [...begun, [3 * day, "wait"]], daysAgo: [15, 9, 6] },
  { story: taken, daysAgo: [10, 5] },
  { story: begun, daysAgo: [13, 8] },
  { story: confirmed, daysAgo: [14, 12, 11, 9, 7, 4, 3, 2, 1] },
  { story: asked, daysAgo: [1.5, 1.25, 1, 0.5] },
  { story: [[0, "enter"]], daysAgo: [4, 2] },
  { story: [[0, "ask-closed-mailbox"]], daysAgo: [1.5] },
  { story: [...taken, [justNow, "complete"]], daysAgo: [7, 5] },
];

const reasons = ["no-longer-needed", "privacy-concerns", "too-many-notifications", "other"];

/** Requests at the beginning of a drill. */
export const drillRequests = plan.reduce((sum, { daysAgo }) => sum + daysAgo.length, 0);

/**
 * Passes time in steps, and runs the rounds that are due meanwhile. The clock never goes back.
 */
export async function passUntil(
  { foundation: { clock }, rounds, setClock }: Pick<Practice, "foundation" | "rounds" | "setClock">,
  later: Temporal.Instant,
): Promise<void> {
  while (Temporal.Instant.compare(clock(), later) < 0) {
    const next = clock().add({ hours: 1 });
    setClock(Temporal.Instant.compare(next, later) > 0 ? later : next);
    await rounds.runOnce();
  }
}

/**
 * Plays the semester.
 * @param firstDay when the drill begins; the clock is `playedDays` before it
 */
export async function playSemester(practice: Practice, firstDay: Temporal.Instant): Promise<void> {
  const { foundation, rounds } = practice;
  for (const name of ["Nadia", "Tariq"]) {
    await foundation.database.write((transaction) =>
      addOperator(transaction, name, foundation.clock()),
    );
  }
  const acts = createActs(practice);
  const last = firstDay.subtract({ minutes: 4 });
  const started = plan.flatMap(({ story, daysAgo }) => daysAgo.map((days) => ({ story, days })));
  const steps = started.flatMap(({ story, days }, number) => {
    const one: One = { number, reference: "" };
    return story.map(([minutes, act]) => {
      const at = firstDay.add({ minutes: number * 3 + minutes - days * day });
      const isLate = Temporal.Instant.compare(at, last) > 0;
      return { at: isLate ? last : at, run: () => acts[act](one) };
    });
  });
  for (const { at, run } of steps.sort((a, b) => Temporal.Instant.compare(a.at, b.at))) {
    await passUntil(practice, at);
    await run();
    await rounds.runOnce();
  }
  await passUntil(practice, firstDay);
  // Enters recent backups, so that the drill does not begin with an alarm.
  await foundation.database.write(async (transaction) => {
    for (const what of ["backup", "export"] as const) {
      await enterCopy(transaction, { what, at: firstDay, oldestAt: firstDay });
    }
  });
}

/** A request of the plan; the reference is set once its form was sent. */
type One = { number: number; reference: string };

function createActs({ foundation, campuses, site: { desk, submitting, visits } }: Practice) {
  const { languages, dataList, clock } = foundation;
  const [{ settings, deletion }] = campuses as [Campus];
  const offered = reasons.filter((code) => code in deletion.form.reasons);
  /** Two in each language by turns, so that every operator gets some of all. */
  const languageOf = (number: number) => languages[Math.floor(number / 2) % languages.length];
  const wordsOf = (number: number) =>
    sampleWords(campuses.find((one) => one.settings.language === languageOf(number)) as Campus);
  const nameOf = (number: number) => (number % 2 === 0 ? "Nadia" : "Tariq");
  /** Adds numbers if there are fewer names than requests. */
  function addressOf(number: number, place = "uni") {
    const names = settings.sampleNames;
    const round = Math.floor(number / names.length);
    const name = `${names[number % names.length]}${round === 0 ? "" : round + 1}`;
    const parsed = parseEmailAddress(`${name}@${place}.example`);
    if (!parsed.ok) throw new Error(`${name} makes no address`);
    return parsed.email;
  }

  async function ask(one: One): Promise<void> {
    const { number } = one;
    const email = addressOf(number);
    const fields = {
      email,
      reason: offered[number % offered.length] ?? "other",
      feedback: number % 7 === 0 ? wordsOf(number).feedback : "",
      confirmation: "on",
      formKey: createFormKey(),
    };
    const result = await submitting.submit(fillIn(fields), languageOf(number));
    if (result.kind !== "stored") throw new Error(`The form of ${email} was not stored`);
    one.reference = result.submission.reference;
  }

  /** Presses the button behind an email's link. */
  async function press({ reference }: One, act: "confirm" | "cancel"): Promise<void> {
    const { database } = foundation;
    const form = await findSubmissionByReference(database.read, { reference });
    if (!form) throw new Error(`No form has the reference ${reference}`);
    const { requestId, id } = form;
    const submissionId = act === "confirm" ? id : undefined;
    const link = await database.write((transaction) =>
      addLink(transaction, { requestId, submissionId }, clock()),
    );
    const opened = await visits.openLink(link);
    const result = opened.kind === "visit" ? await visits[act](opened.visit) : opened;
    if (result.kind !== "done") throw new Error(`${reference} could not ${act}: ${result.kind}`);
  }

  async function work({ number, reference }: One, asked: Asked) {
    const result = await desk.act(reference, asked, nameOf(number));
    if (result.kind !== "done") throw new Error(`${reference} could not ${asked.type}`);
  }

  return {
    ask,
    async "ask-closed-mailbox"(one) {
      await ask(one);
      const problem = { problem: "recipient refused (550)", permanent: true };
      const { database, keys } = foundation;
      for (const item of await claimMessages(database, keys, clock(), "person", 1)) {
        await database.write((transaction) => failMessage(transaction, item, problem, clock(), 0));
      }
    },
    enter: ({ number }) =>
      desk.enterRequest(
        {
          email: addressOf(number),
          contact: addressOf(number, "home"),
          proof: dataList.ownershipProofs[0]?.key ?? "",
          reason: "other",
          receivedAt: clock(),
        },
        nameOf(number),
      ),
    confirm: (one) => press(one, "confirm"),
    cancel: (one) => press(one, "cancel"),
    take: (one) => work(one, { type: "take" }),
    refuse: (one) => work(one, { type: "refuse", reason: "no-account", explanation: "" }),
    later: (one) => {
      const { explanation } = wordsOf(one.number);
      return work(one, { type: "later", reason: "time", days: 5, explanation });
    },
    wait: (one) => {
      const days = one.number % 2 === 0 ? 9 : 3;
      return work(one, { type: "later", reason: "dues", days, explanation: "" });
    },
    begin: async ({ number, reference }) => {
      const place = placesToTick(dataList)[0] ?? "";
      const said = { account: "both", [`at-${place}`]: "done" };
      const form = { act: "tick", reference, typed: fillIn(said) } as const;
      const result = await desk.hear(form, nameOf(number));
      if (result.kind !== "done") throw new Error(`${reference} could not begin: ${result.kind}`);
    },
    complete: async ({ number, reference }) => {
      const gone = placesToTick(dataList).map((place) => [`at-${place}`, "done"]);
      const said = { address: addressOf(number), account: "both", ...Object.fromEntries(gone) };
      const form = { act: "complete", reference, typed: fillIn(said) } as const;
      const result = await desk.hear(form, nameOf(number));
      if (result.kind !== "done")
        throw new Error(`${reference} could not complete: ${result.kind}`);
    },
    undo: (one) => work(one, { type: "undo", explanation: wordsOf(one.number).reopened }),
  } satisfies Record<string, (one: One) => Promise<unknown>>;
}
