import { expect, test } from "vitest";
import { countWords, createMarkdown, findUnshown } from "./markdown.ts";
import { showPortraits, withoutOrnaments } from "./ornaments.ts";

const names = { product: "Rickshare", developer: "Team Bokul", campus: "Bokul College" };
const { render: renderMarkdown, renderInline: renderInlineMarkdown } = createMarkdown({
  language: "en",
  ...names,
});
const inBangla = createMarkdown({ language: "bn", ...names });

test("drops raw HTML", () => {
  expect(renderMarkdown('before <script>alert(1)</script> <img src="x"> after')).not.toMatch(
    /<script|<img/,
  );
});

test("gives each heading an id", () => {
  expect(renderMarkdown("## What it costs")).toBe('<h2 id="what-it-costs">What it costs</h2>');
});

test("wraps a table in a focusable frame whose label lists the columns", () => {
  const html = renderMarkdown("| A | B |\n| --- | --: |\n| 1 | 2 |");
  expect(html).toMatch(
    /^<div class="table-frame narrow" role="region" aria-label="A, B" tabindex="0">/,
  );
  expect(html).toContain('<th scope="col">A</th>');
  expect(html).toContain('class="align-right"');
  expect(html).not.toMatch(/\b(align|style)="/);
  expect(html.match(/table-frame/g)).toHaveLength(1);
});

test("labels each cell of a wide table with its column's name", () => {
  const [wideTable = "", narrow = ""] = [
    "| Errand | Hour | Fare |\n| --- | --- | --: |\n| **Bank** | 10 | 70 |",
    "| What | Rides | Fare |\n| --- | --: | --: |\n| Bank | 10 | 70 |",
  ].map(renderMarkdown);
  expect(wideTable).toContain('class="table-frame stacked"');
  expect(wideTable).toContain('<th role="rowheader" scope="row"><strong>Bank</strong></th>');
  expect(wideTable).toContain('<td role="cell" data-label="Hour">10</td>');
  expect(wideTable).toContain('<td class="align-right" role="cell" data-label="Fare">70</td>');
  expect(wideTable.match(/<tr role="row">/g)).toHaveLength(2);
  expect(wideTable.match(/<th scope="col"[^>]* role="columnheader">/g)).toHaveLength(3);
  expect(narrow).toContain('class="table-frame"');
  expect(narrow).not.toContain("data-label");
});

test("labels each checkbox with the text next to it", () => {
  const html = renderMarkdown("- [ ] Helmet\n- [x] Light\n  - Spare bulb");
  expect(html).toContain('<ul class="contains-task-list">');
  expect(html).toContain('<label><input type="checkbox"> Helmet</label></li>');
  expect(html).toMatch(/<label><input type="checkbox" checked> Light\s*<\/label>/);
  expect(html).toMatch(/<\/label><ul>\s*<li>Spare bulb<\/li>/);
  const loose = renderMarkdown("- [ ] Helmet\n\n- [ ] Light");
  expect(loose).toContain('<p><label><input type="checkbox"> Helmet</label></p>');
});

const twoLetters = [
  '::: letter from="Maliha" seat="from the seat behind" face="90 40 60"',
  "## Maliha to Sajid",
  "Slowly, please.",
  "",
  "Maliha",
  ":::",
  "",
  '::: pull by="Maliha"',
  "Slowly, please.",
  ":::",
  "",
  "::: letter",
  "Dear Maliha,",
  ":::",
].join("\n");

test("renders letters with a header, a signature and a hidden pull quote", () => {
  const html = renderMarkdown(twoLetters);
  expect(html.match(/<div class="letters">/g)).toHaveLength(1);
  expect(html).toContain(
    '<section class="letter ruled"><header class="letter-head"><svg class="portrait" viewBox="90 40 60 60" aria-hidden="true"><image data-picture=""></image></svg><div class="letter-title"><h2 id="maliha-to-sajid">Maliha to Sajid</h2><p class="seat">from the seat behind</p></div></header>',
  );
  expect(html).toContain('<p class="sign">Maliha</p></section>');
  expect(html).toMatch(/<div class="pull" aria-hidden="true">\s*<p>Slowly, please.<\/p>/);
  expect(html).toMatch(/<section class="letter squared">\s*<p>Dear Maliha,<\/p>/);
  expect(findUnshown(twoLetters)).toEqual([]);
  const shown = showPortraits(html, { url: "/art/a.svg", width: 480, height: 320 });
  expect(shown).toContain('<image href="/art/a.svg" width="480" height="320">');
  expect(withoutOrnaments(html)).not.toMatch(/svg|pull/);
  // The pull quote repeats the text, so it isn't counted.
  expect(countWords(html)).toBe(12);
});

test("doesn't parse a colon within a sentence as a block", () => {
  expect(renderInlineMarkdown("Nutzer:innen, 6:02, :smile: und ::wort")).toBe(
    "Nutzer:innen, 6:02, :smile: und ::wort",
  );
});

test.each([
  ["::: sidebar\nText\n:::", "::: sidebar is not known; the blocks are letter and pull"],
  [
    '::: letter form="Maliha"\nText\n:::',
    "::: letter has no form; it can have from, seat, face, paper",
  ],
  ["::: letter\nText", "::: letter has no end; write ::: on a line of its own below it"],
  ['::: letter from="Maliha\nText\n:::', '::: letter from="Maliha'],
  ['::: letter paper="blue"\nText\n:::', "the paper of a letter is ruled or squared"],
  ['::: letter face="left"\nText\n:::', "face is a place in the post's picture"],
  ["::: pull\nOther words\n:::", "::: pull repeats words of the text; these are not in it"],
  ["::letter", "::letter is not shown; a block has three colons"],
])("explains the mistake in %j and reports its line", (block, sentence) => {
  const [found, ...rest] = findUnshown(`Text\n\n${block}`);
  expect(found?.reason).toContain(sentence);
  expect(found?.line).toBe(3);
  expect(rest.filter(({ reason }) => !reason.startsWith(":::"))).toEqual([]);
});

test("keeps a range of numbers on one line in any script", () => {
  expect(renderInlineMarkdown("It takes 7-10 days, well-known.")).toBe(
    'It takes <span class="range">7-10</span> days, well-known.',
  );
  for (const range of ["৭-১০", "৭-\u2060১০"]) {
    expect(inBangla.renderInline(range)).toBe(`<span class="range">${range}</span>`);
  }
});

test("lets a long email address in a mailto link break only after the @", () => {
  const written =
    "<help@very-old-university.example>, [us](mailto:help@campus.example), <a@b.example>";
  expect(renderInlineMarkdown(written)).toBe(
    '<a href="mailto:help@very-old-university.example">help@<wbr>very-old-university.example</a>, <a href="mailto:help@campus.example">us</a>, <a href="mailto:a@b.example">a@b.example</a>',
  );
});

test("renders inline text without a paragraph element", () => {
  expect(renderInlineMarkdown("**Yes**, [home](/)")).toBe(
    '<strong>Yes</strong>, <a href="/">home</a>',
  );
});

test("marks the language of words in another script, but not of code, names and email addresses", () => {
  expect(inBangla.renderInline("যাত্রী (**rider**), Rickshare, `npm start`, help@a.example")).toBe(
    'যাত্রী (<strong><span lang="en">rider</span></strong>), Rickshare, <code>npm start</code>, <a href="mailto:help@a.example">help@a.example</a>',
  );
  expect(renderInlineMarkdown("Say ধন্যবাদ.")).toBe('Say <span lang="bn">ধন্যবাদ</span>.');
});

test("isolates codes in a right-to-left text, but not inside code", () => {
  const inArabic = createMarkdown({ language: "ar", ...names });
  expect(
    inArabic.renderInline("رقم 5723-KM42 و`npm start` و<help@very-old-university.example>"),
  ).toBe(
    'رقم <span dir="ltr">5723-KM42</span> و<code dir="ltr">npm start</code> و<a href="mailto:help@very-old-university.example"><span dir="ltr">help@<wbr>very-old-university.example</span></a>',
  );
});

test("leaves message placeholders unchanged", () => {
  for (const message of ["{days} দিন", "{count, plural, one {১ দিন} other {# দিন}}"]) {
    expect(inBangla.renderInline(message)).toBe(message);
  }
});

test("gives headings the same ids with and without no-break characters", () => {
  expect(inBangla.render("## পা-\u2060ও নামান")).toContain('id="পা-ও-নামান"');
});

test("counts only visible words", () => {
  expect(
    countWords(
      "<p>One <strong>two</strong> – three & 4@<wbr>four</p><ul><li>পাঁচ <span>five</span>-এ</li></ul>",
    ),
  ).toBe(6);
});
