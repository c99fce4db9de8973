import { expect, test } from "vitest";
import { toFormValues } from "../../platform/forms/form-values.ts";
import { createFormKey, isFormKey } from "./request.ts";
import { parseSubmission } from "./submission.ts";

const formKey = createFormKey();
const filled = {
  email: " Anika@Uni.Edu ",
  reason: "privacy-concerns",
  feedback: "Thanks.\r\nBye.\r",
  confirmation: "on",
  formKey,
  website: "",
};
const right = toFormValues(filled);

test("reads a filled-in form and normalizes its values", () => {
  expect(parseSubmission(right)).toEqual({
    ok: true,
    submission: {
      email: "Anika@uni.edu",
      reason: "privacy-concerns",
      feedback: "Thanks.\nBye.",
      formKey,
      language: "",
    },
  });
});

test("accepts a form without the feedback, the key and the hidden field", () => {
  const { feedback, formKey: _, website, ...least } = filled;
  expect(parseSubmission(toFormValues(least))).toMatchObject({
    ok: true,
    submission: { feedback: "" },
  });
});

test("lists all missing fields of an empty form, in the order of the form", () => {
  expect(parseSubmission({})).toEqual({
    ok: false,
    wrong: [
      { field: "email", what: "emailMissing" },
      { field: "reason", what: "reasonMissing" },
      { field: "confirmation", what: "confirmationMissing" },
    ],
  });
});

// tests/http/deletion-request.test.ts covers the mistakes that people make.
test.each([
  [{ reason: ["toString"] }, "reason", "reasonUnknown"],
  [{ reason: ["other", "other"] }, "reason", "malformed"],
  [{ confirmation: ["off"] }, "confirmation", "confirmationMissing"],
  [{ formKey: ["short"] }, "formKey", "malformed"],
])("rejects a form with %o", (change, field, what) => {
  expect(parseSubmission({ ...right, ...change })).toMatchObject({
    ok: false,
    wrong: [{ field, what }],
  });
});

test("counts a line break or an emoji in the feedback as one character", () => {
  const feedback = `${"🙂".repeat(2500)}${"\r\n".repeat(2499)}x`;
  expect(parseSubmission({ ...right, feedback: [feedback] }).ok).toBe(true);
  expect(parseSubmission({ ...right, feedback: [`${feedback}x`] }).ok).toBe(false);
});

test("strips invisible characters from the feedback, except Bangla joiners", () => {
  const feedback = "a\u0000b\u001b[31m\ud800\u202e\u0085 র\u200d্যাব";
  expect(parseSubmission({ ...right, feedback: [feedback] })).toMatchObject({
    submission: { feedback: "ab[31m র\u200d্যাব" },
  });
});

test("accepts form keys in base64url or hexadecimal", () => {
  expect(isFormKey(createFormKey())).toBe(true);
  expect(isFormKey("0123456789abcdef0123456789abcdef")).toBe(true);
  expect(createFormKey()).not.toBe(createFormKey());
});

const mistyped = { ...right, email: ["Anika@uni.exmaple"] };
const question = {
  ok: false,
  wrong: [{ field: "email", what: "emailMistyped", suggestion: "Anika@uni.example" }],
};
const ask = (change = {}) => parseSubmission({ ...mistyped, ...change }, "", ["uni.example"]);

test("asks about a mistyped domain only once per address", () => {
  expect(ask()).toEqual(question);
  expect(ask({ asked: ["other@uni.exmaple"] })).toEqual(question);
  expect(ask({ asked: ["Anika@uni.exmaple"] })).toMatchObject({
    ok: true,
    submission: { email: "Anika@uni.exmaple" },
  });
});

test("accepts only the suggestion that the form offered", () => {
  expect(ask({ take: ["Anika@uni.example"] })).toMatchObject({
    ok: true,
    submission: { email: "Anika@uni.example" },
  });
  expect(ask({ take: ["evil@uni.example"] })).toEqual(question);
});

test("asks about a mistyped domain together with the other errors", () => {
  expect(ask({ reason: [""] })).toEqual({
    ok: false,
    wrong: [...question.wrong, { field: "reason", what: "reasonMissing" }],
  });
});
