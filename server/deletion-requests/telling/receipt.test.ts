import { expect, test } from "vitest";
import { createCalendarWords } from "../../language/texts.ts";
import { readWalk } from "../life/checklist.ts";
import { testDataKinds, testDataList, testMailWords, typeWalk } from "../service.fixture.ts";
import { toReceipt } from "./receipt.ts";

const today = Temporal.PlainDate.from("2026-11-22");
const { completion } = readWalk(testDataList, typeWalk(testDataList), today);
const dates = createCalendarWords({ locale: "en-GB", timeZone: "Asia/Dhaka", holidays: {} });
const receiptOf = (backupsGoneBy: string | null) =>
  toReceipt({ ...completion, backupsGoneBy }, testDataKinds, testMailWords.receipt, dates);

test("a receipt says nothing of the app's backups unless the app dated them", () => {
  expect(receiptOf(null).backups).toBeUndefined();
});

test("a receipt names the app's date for its backups as the app's, among what is kept", () => {
  const { backups = "", groups } = receiptOf("2026-12-21");
  expect(backups).toMatch(/^The app reports .* 21\sDecember 2026\.$/);
  expect(groups.flatMap(({ title, items }) => (items.includes(backups) ? [title] : []))).toEqual([
    testMailWords.receipt.keptTitle,
  ]);
});
