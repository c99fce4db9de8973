import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { copyCampus } from "../tests/harness/campus-copy.ts";
import { readCampus } from "./load.ts";
import { formatMistake, notesIn } from "./mistakes.ts";
import { listTexts, readProductWords, wordFiles } from "./product-words.ts";
import { findWording, wordingLanguages } from "./wording.ts";

describe.each(wordingLanguages)("the product's text in %s", (language) => {
  test.each(wordFiles)("has no discouraged words in %s.yaml", (name) => {
    const found = listTexts(readProductWords(language, name)).flatMap(([place, text]) =>
      findWording(language, text, { isProduct: true }).map(
        ({ sentence }) => `words/${language}/${name}.yaml: ${place}: ${sentence}`,
      ),
    );
    expect(found).toEqual([]);
  });
});

test.each([
  ["ব্যক্তি নিশ্চিত করবেন।", "অনুরোধকারী"],
  ["ঠিকানার একটা চাবিযুক্ত হ্যাশ", "কোড"],
  ["মুছে ফেলার খতিয়ান", "লেজার"],
  ["দেরি হলেও তার পরদিন সকালে", "পরদিন সকালের মধ্যেই"],
  ["দুবার ফোনে কেউ একজন চেয়েছে", "টিমের কেউ"],
  ["{date} ২৩:২৭ পর্যন্ত", "সন্ধ্যা"],
  ["১১:৩০টায়", "সাড়ে"],
])("suggests better Bangla for %j", (text, better) => {
  const found = findWording("bn", text, { isProduct: true });
  expect(found.map(({ sentence }) => sentence)).toEqual([expect.stringContaining(better)]);
});

test.each(["ব্যক্তিগত তথ্য", "তালিকাভুক্তি", "খাতা-কলম", "১২:১৩", "ছড়া পড়া", "## ১. প্রথম"])(
  "accepts the Bangla text %j",
  (text) => {
    expect(findWording("bn", text, { isProduct: true })).toEqual([]);
  },
);

test.each([
  ["Schreib uns: Ein Mensch antwortet.", "jemand aus dem Team"],
  ["Unsere Entscheidung hast du nach 14 Tagen.", "innerhalb von"],
  ["Ist dir etwas im Weg?", "weiter"],
  ["Warst du das nicht, stopp es hier.", "stoppe die Löschung"],
  ["Zu lang. Gespeichert wurde nichts.", "wir haben nichts gespeichert"],
  ["Der zugesagte Tag ist vorbei.", "Termin"],
  ["Wir schicken eine E-Mail.", "Mail"],
  ["Bitte füllen Sie das Formular aus.", "du"],
])("suggests better German for %j", (text, better) => {
  const found = findWording("de", text, { isProduct: true });
  expect(found.map(({ sentence }) => sentence)).toEqual([expect.stringContaining(better)]);
});

test.each([
  ["لم يُحفظ شيء.", "لم نحفظ شيئًا"],
  ["ليس عليك فعل شيء.", "لست بحاجة"],
  ["يختفي الطلب من تلقاء نفسه.", "تلقائيًا"],
])("suggests better Arabic for %j", (text, better) => {
  const found = findWording("ar", text, { isProduct: true });
  expect(found.map(({ sentence }) => sentence)).toEqual([expect.stringContaining(better)]);
});

test.each(["Deine E-Mail-Adresse", "Dann musst du nichts tun.", "Was ihr getan habt. Sie gilt."])(
  "accepts the German text %j",
  (text) => {
    expect(findWording("de", text, { isProduct: true })).toEqual([]);
  },
);

test.each([
  ["Somebody of us answers.", "someone"],
  ["Write to us at once.", "right away"],
  ["We send mails.", "emails"],
  ["That was our slip.", "mistake"],
  ["The email has not left yet.", "goes out"],
  ["We need one more proof.", "more proof"],
])("suggests better English for %j", (text, better) => {
  expect(findWording("en", text).map(({ sentence }) => sentence)).toEqual([
    expect.stringContaining(better),
  ]);
});

test.each([
  "He is cold all at once.",
  "Our mailbox is read by the mail provider.",
  "A slip of paper.",
])("accepts the English text %j", (text) => {
  expect(findWording("en", text)).toEqual([]);
});

test("reports the location of a discouraged word in a campus's text", () => {
  using copy = copyCampus(join(import.meta.dirname, "../campus"));
  copy.change("content/en/faq.yaml", 'short: "', 'short: "Somebody rides. ');
  copy.change("content/en/posts/19-the-first-ten-minutes.md", /$/, "\nCall at once.\n");
  const { mistakes } = readCampus(copy.folder);
  const notes = notesIn(mistakes).map(formatMistake);
  expect(notes).toContainEqual(
    expect.stringMatching(
      /^campus\/content\/en\/faq\.yaml:\d+: 0\.short: says "Somebody"; .*someone$/,
    ),
  );
  expect(notes).toContainEqual(
    expect.stringMatching(/^campus\/content\/en\/posts\/19-.*\.md:\d+: \(text\): says "at once"; /),
  );
});
