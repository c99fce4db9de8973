import { findNextDue } from "../server/outbox/outbox.ts";
import { filledForm } from "../tests/harness/deletion-form.ts";
import { median } from "./report.ts";
import type { MeasuredAct } from "./store.ts";
import { openOffice, type Place } from "./store-filling.ts";

/**
 * One instance that does each kind of act again and again in a filled store, beside others or alone: `store-acts.ts
 * PLACE`. Tells that it is ready, does the act that its parent names, and answers with the median in milliseconds.
 */
const place = JSON.parse(process.argv[2] ?? "") as Place;
const warmUps = 10;
const measured = 50;

const office = await openOffice(place, () => Temporal.Now.instant());
const { submitting, desk, upkeep, database } = office;
const last = (await desk.list(["working"], 50))?.requests.at(-1);
if (!last?.email) throw new Error("The filled store has no open request");
const { reference, email } = last;
const month = Temporal.Now.plainDateISO().subtract({ months: 6 }).toPlainYearMonth();
let turn = 0;

const acts: Record<MeasuredAct | "what is due", () => Promise<unknown>> = {
  "what is due": () => upkeep.run(),
  "a form stored": () =>
    submitting.submit(filledForm({ email: `new${process.pid}-${turn++}@uni.example` })),
  "the next due message": () => findNextDue(database.read, ["person", "operators"]),
  "upkeep with nothing to do": () => upkeep.run(),
  "the queue's first page": () => desk.list(["working", "received"], 50),
  "search by reference": () => desk.find(reference),
  "search by address": () => desk.search(email),
  "search by an address that is unknown": () => desk.search("nobody@uni.example"),
  "figures of a month": () => desk.happened(month),
};

process.on("message", async (act: MeasuredAct | "what is due") => {
  const run = acts[act];
  const once = act === "what is due";
  const taken: number[] = [];
  for (let index = 0; index < (once ? 1 : warmUps + measured); index++) {
    const started = performance.now();
    await run();
    if (once || index >= warmUps) taken.push(performance.now() - started);
  }
  process.send?.(median(taken));
});
process.on("disconnect", () => process.exit());
process.send?.("ready");
