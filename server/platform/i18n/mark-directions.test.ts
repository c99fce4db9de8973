import { expect, test } from "vitest";
import { borrow } from "./borrowed-words.ts";
import { markDirections } from "./mark-directions.ts";

const arabic = { language: "ar", firstLanguage: "ar" };

test.each([
  ["a reference that begins with digits", "5723-KM42"],
  ["an email address", "1.student+a@uni.example"],
  ["a masked email address", "s••••@uni.example"],
  ["an email address that may break", "student@<wbr/>very-old-university.example"],
  ["a URL", "https://uni.example/a?b=1-2"],
  ["a URL that may break", "http://localhost:3000<wbr>/delete-my-account?link=a-1"],
  ["a host without a scheme", "app<wbr/>.uni<wbr/>.example<wbr/>/get"],
  ["a telephone number", "+20 2 1234 5678"],
])("isolates %s between Arabic words", (_name, code) => {
  expect(markDirections(`<p>رقم ${code}.</p>`, arabic)).toBe(
    `<p>رقم <span dir="ltr">${code}</span>.</p>`,
  );
});

test("doesn't isolate dates, ranges and times", () => {
  const html = "<p>من 7-10 أيام، 23 نوفمبر 2026 في 6:00 ص</p>";
  expect(markDirections(html, arabic)).toBe(html);
});

test("isolates a code element instead of the codes inside it", () => {
  expect(
    markDirections("<p>ثم <code>npm run requests -- act take 5723-KM42</code></p>", arabic),
  ).toBe('<p>ثم <code dir="ltr">npm run requests -- act take 5723-KM42</code></p>');
});

test("doesn't change attributes, scripts or text that is already isolated", () => {
  for (const html of [
    '<a href="mailto:a@uni.example">اكتب</a>',
    "<title>a@uni.example</title>",
    '<script>"a@uni.example"</script>',
    '<span dir="ltr">a@uni.example</span>',
  ]) {
    expect(markDirections(html, arabic)).toBe(html);
  }
});

test("doesn't isolate codes on left-to-right pages", () => {
  const html = "<p>a@uni.example <code>a</code></p>";
  expect(markDirections(html, { language: "en", firstLanguage: "ar" })).toBe(html);
});

test("marks borrowed text with its language and direction", () => {
  expect(markDirections(`<p>${borrow("a@uni.example", "english")}</p>`, arabic)).toBe(
    '<p><span lang="en" dir="ltr">a@uni.example</span></p>',
  );
});
