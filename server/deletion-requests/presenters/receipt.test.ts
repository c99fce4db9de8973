import { expect, test } from "vitest";
import { createCalendarWords } from "../../platform/i18n/texts.ts";
import { readChecklist } from "../state-machine/checklist.ts";
import {
  fillChecklist,
  testDataKinds,
  testDataList,
  testMailWords,
} from "../test-campus.fixture.ts";
import { toReceipt } from "./receipt.ts";

const today = Temporal.PlainDate.from("2026-11-22");
const { completion } = readChecklist(testDataList, fillChecklist(testDataList), today);
const dates = createCalendarWords({
  locale: "en-GB-u-hc-h12",
  timeZone: "Asia/Dhaka",
  holidays: {},
});
const receiptOf = (backupsGoneBy: string | null) =>
  toReceipt({ ...completion, backupsGoneBy }, testDataKinds, testMailWords.receipt, dates);

test("omits the app's backups from the receipt if their deletion date is unknown", () => {
  expect(receiptOf(null).backups).toBeUndefined();
});

test("lists the app's backups under kept data if their deletion date is known", () => {
  const { backups = "", groups } = receiptOf("2026-12-21");
  expect(backups).toMatch(/^The app reports .* 21\sDecember 2026\.$/);
  expect(groups.flatMap(({ title, items }) => (items.includes(backups) ? [title] : []))).toEqual([
    testMailWords.receipt.keptTitle,
  ]);
});
