import { expect, test } from "vitest";
import { fillIn } from "../../forms/typed.ts";
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
const right = fillIn(filled);

test("a filled form is read and tidied", () => {
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

test("feedback and the hidden field may be absent", () => {
  const { feedback, website, ...least } = filled;
  expect(parseSubmission(fillIn(least))).toMatchObject({ ok: true, submission: { feedback: "" } });
});

test("an empty form is told everything that is missing, in the order of the form", () => {
  expect(parseSubmission({})).toEqual({
    ok: false,
    wrong: [
      { field: "email", what: "emailMissing" },
      { field: "reason", what: "reasonMissing" },
      { field: "confirmation", what: "confirmationMissing" },
      { field: "formKey", what: "malformed" },
    ],
  });
});

test.each([
  [{ email: ["anika"] }, "email", "emailNoAt"],
  [{ email: [`${"a".repeat(300)}@x.edu`] }, "email", "emailTooLong"],
  [{ email: ["a@x.edu", "b@x.edu"] }, "email", "malformed"],
  [{ reason: [""] }, "reason", "reasonMissing"],
  [{ reason: ["toString"] }, "reason", "reasonUnknown"],
  [{ reason: ["other", "other"] }, "reason", "malformed"],
  [{ feedback: ["x".repeat(5001)] }, "feedback", "feedbackTooLong"],
  [{ confirmation: [""] }, "confirmation", "confirmationMissing"],
  [{ confirmation: ["off"] }, "confirmation", "confirmationMissing"],
  [{ formKey: ["short"] }, "formKey", "malformed"],
  [{ formKey: [formKey, formKey] }, "formKey", "malformed"],
  [{ website: ["https://spam.example"] }, "website", "honeypot"],
])("%o is refused", (change, field, what) => {
  expect(parseSubmission({ ...right, ...change })).toMatchObject({
    ok: false,
    wrong: [{ field, what }],
  });
});

test("feedback is counted as a person counts: a line end is one, an emoji is one", () => {
  const feedback = `${"🙂".repeat(2500)}${"\r\n".repeat(2499)}x`;
  expect(parseSubmission({ ...right, feedback: [feedback] }).ok).toBe(true);
  expect(parseSubmission({ ...right, feedback: [`${feedback}x`] }).ok).toBe(false);
});

test("what nobody can see does not reach the store, but for what Bangla is joined with", () => {
  const feedback = "a\u0000b\u001b[31m\ud800\u202e\u0085 র\u200d্যাব";
  expect(parseSubmission({ ...right, feedback: [feedback] })).toMatchObject({
    submission: { feedback: "ab[31m র\u200d্যাব" },
  });
});

test("form keys are 128 random bits, in either spelling", () => {
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

test("asks about a mistyped domain once for each address", () => {
  expect(ask()).toEqual(question);
  expect(ask({ asked: ["other@uni.exmaple"] })).toEqual(question);
  expect(ask({ asked: ["Anika@uni.exmaple"] })).toMatchObject({
    ok: true,
    submission: { email: "Anika@uni.exmaple" },
  });
});

test("takes a suggestion that it made, and no other address", () => {
  expect(ask({ take: ["Anika@uni.example"] })).toMatchObject({
    ok: true,
    submission: { email: "Anika@uni.example" },
  });
  expect(ask({ take: ["evil@uni.example"] })).toEqual(question);
});

test("asks about a mistyped domain together with all that is wrong", () => {
  expect(ask({ reason: [""] })).toEqual({
    ok: false,
    wrong: [...question.wrong, { field: "reason", what: "reasonMissing" }],
  });
});
