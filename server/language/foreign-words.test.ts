import { describe, expect, test } from "vitest";
import { markForeignWords } from "./foreign-words.ts";

const inBangla = (html: string) => markForeignWords(html, "bn", ["Rickshare", "Team Bokul"]);

describe("in Bangla text", () => {
  test.each([
    [
      "<p>মেইলবক্সে “welcome” লিখে খুঁজুন।</p>",
      '<p>মেইলবক্সে “<span lang="en">welcome</span>” লিখে খুঁজুন।</p>',
    ],
    [
      "<p>অধ্যাদেশ, ২০২৫ (Personal Data Protection Ordinance, 2025)</p>",
      '<p>অধ্যাদেশ, ২০২৫ (<span lang="en">Personal Data Protection Ordinance</span>, 2025)</p>',
    ],
    ["<p>ম্যাপে এটা “Gate 1”</p>", '<p>ম্যাপে এটা “<span lang="en">Gate</span> 1”</p>'],
    ["<td>যাত্রী (rider)</td>", '<td>যাত্রী (<span lang="en">rider</span>)</td>'],
  ])("marks a word as English: %s", (html, marked) => {
    expect(inBangla(html)).toBe(marked);
  });

  test.each([
    "<p>Rickshare অ্যাপ, বানিয়েছে Team Bokul</p>",
    "<p>WCAG 2.2, AA স্তর, SHA-256</p>",
    "<p>লিখুন help@rickshare.example ঠিকানায়, receipt.txt নামে, https://rickshare.example/faq</p>",
    "<p>রেফারেন্স K7RM-4XQP</p>",
    "<p>ক &amp; খ, &lt;গ&gt;</p>",
    '<a href="/faq" title="the questions">প্রশ্নোত্তর</a>',
    '<a lang="en" href="/faq">English <b>words</b></a>',
    "<pre>openssl dgst</pre><code>npm start</code>",
    "<script>const word = 'plain';</script><style>a{color:red}</style>",
    "<head><title>Questions</title></head>",
    "<svg><text>words</text></svg>",
    '<!doctype html><html lang="bn"></html>',
  ])("marks no language: %s", (html) => {
    expect(inBangla(html)).toBe(html);
  });

  test.each([
    ["<p>পা-ও নামান</p>", '<p>পা<span class="whole">-ও</span> নামান</p>'],
    ["<b>Rickshare</b>-এর অ্যাপ", '<b>Rickshare</b><span class="whole">-এর</span> অ্যাপ'],
    [
      "<p>“welcome”-এ, ১২-৩৪৫৬</p>",
      '<p>“<span lang="en">welcome</span>”<span class="whole">-এ</span>, ১২<span class="whole">-৩৪৫৬</span></p>',
    ],
  ])("keeps a short ending on the line of its word: %s", (html, kept) => {
    expect(inBangla(html)).toBe(kept);
  });

  test("keeps a number on the line of a short word that it counts", () => {
    expect(inBangla("<p>৫ মিনিট, ৫,০০০ টাকা, ২০ সেমিস্টারের পর, ২০২৬ সালে, ১৬২৬৩ (16263)</p>")).toBe(
      "<p>৫\u00a0মিনিট, ৫,০০০\u00a0টাকা, ২০ সেমিস্টারের পর, ২০২৬ সালে, ১৬২৬৩\u00a0(16263)</p>",
    );
    expect(inBangla('<p><span class="range">৭</span> কর্মদিবস, <b>২০২৬</b> সালে</p>')).toBe(
      '<p><span class="range">৭</span>\u00a0কর্মদিবস, <b>২০২৬</b> সালে</p>',
    );
    const english = "<p>5 minutes</p>";
    expect(markForeignWords(english, "en", [])).toBe(english);
  });

  test("a long word of two parts may break between them", () => {
    const html = "<p>যাওয়া-আসার সেলফ-ডিফেন্স</p>";
    expect(inBangla(html)).toBe('<p>যাওয়া<span class="whole">-আসার</span> সেলফ-ডিফেন্স</p>');
  });

  test("marks words again after a skipped element", () => {
    const html = '<div lang="en"><div>one</div></div><p>two<br>three</p>';
    expect(inBangla(html)).toBe(
      '<div lang="en"><div>one</div></div><p><span lang="en">two</span><br><span lang="en">three</span></p>',
    );
  });
});

test("marks a word in Bengali script in English text as Bangla", () => {
  expect(markForeignWords("<p>Say ধন্যবাদ, কেমন আছেন to the rider.</p>", "en", [])).toBe(
    '<p>Say <span lang="bn">ধন্যবাদ, কেমন আছেন</span> to the rider.</p>',
  );
  const plain = "<p>Say thanks, isn’t it; Prüfung.</p>";
  expect(markForeignWords(plain, "de", [])).toBe(plain);
});
