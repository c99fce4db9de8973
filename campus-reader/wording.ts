/**
 * Discouraged words by language, each with a better word. The product's text must not contain
 * discouraged words (`wording.test.ts`). Each one in a campus's text causes a note. To add a
 * language, add its table.
 */

type Rule = {
  /** Matches the word or phrase. Must have the flag `g`. */
  found: RegExp;
  /** Better wording, as the end of the sentence "say …". */
  better: string;
  /** Set if campuses may use the word, because it has another meaning in their text. */
  isProductOnly?: boolean;
};

const english: readonly Rule[] = [
  { found: /\bsomebody\b/gi, better: "someone" },
  { found: /\banybody\b/gi, better: "anyone" },
  { found: /\beverybody\b/gi, better: "everyone" },
  { found: /\bnobody\b/gi, better: "no one" },
  { found: /\bwho(?:m|so)?ever\b/gi, better: "anyone who, or just who" },
  { found: /\ba mail\b|\bmails\b/gi, better: "an email, or emails" },
  { found: /\bmail(?:ed| address(?:es)?)\b/gi, better: "emailed, or email address" },
  { found: /(?<!\ball )\bat once\b/gi, better: "right away, or now" },
  { found: /\bgood once\b/gi, better: "works once" },
  { found: /\b(?:our|your|a) slip\b(?! of)/gi, better: "mistake" },
  {
    found: /\bwe (?:tell|write to) you (?:as soon|when|why|then|at)\b/gi,
    better: "we'll tell you",
  },
  { found: /\b(?:we|it) go(?:es)? on\b(?! (?:the|a|an|your|our|to)\b)/gi, better: "carry on" },
  { found: /\blook(?:s|ed|ing)? into\b/gi, better: "check" },
  {
    found: /\b(?:how|as) (?:it|things) stands?\b/gi,
    better: "what it says, or how far it is",
    isProductOnly: true,
  },
  { found: /\bmend(?:s|ed|ing)?\b/gi, better: "fix" },
  { found: /\ba person (?:answers|reads|looks|checks|will)\b/gi, better: "one of us" },
  { found: /\bshould we (?:need|have|be|not)\b/gi, better: "if we" },
  { found: /\btrails?\b/gi, better: "history", isProductOnly: true },
  { found: /\bkeepers?\b/gi, better: "admin", isProductOnly: true },
  { found: /\b(?:request|deletion) waits\b/gi, better: "is on hold", isProductOnly: true },
  {
    found: /\b(?:e?mails?|letters?|receipts?) (?:leaves?|(?:has|have) (?:not )?left)\b/gi,
    better: "goes out, or we send it",
  },
  {
    found: /\bneeds? one of you\b/gi,
    better: "needs your attention",
    isProductOnly: true,
  },
  { found: /\?\**\s+Then\b(?! there)/g, better: "if …, without a question", isProductOnly: true },
  { found: /\b(?:a|another|one more) proof\b/gi, better: "proof, or more proof" },
];

const bangla: readonly Rule[] = [
  { found: /ব্যক্তি(?!গত|ত্ব)/gu, better: "অনুরোধকারী, তিনি", isProductOnly: true },
  { found: /চাবিযুক্ত|এলোমেলো (?:করা )?(?:রূপ|মান)/gu, better: "ঠিকানা থেকে বানানো কোড" },
  { found: /খতি\p{L}\p{M}*ন/gu, better: "মোছার রেকর্ড (লেজার)" },
  {
    found: /(?<!হাজিরা )খাতা(?!-)|(?<![\p{L}\p{M}])ভুক্তি/gu,
    better: "লেজার, এন্ট্রি",
    isProductOnly: true,
  },
  { found: /মোছার ডেস্ক/gu, better: "ডিলিশন ডেস্ক" },
  { found: /আপনার মুছে ফেলার অনুরোধ/gu, better: "আপনার অ্যাকাউন্ট মোছার অনুরোধ" },
  { found: /দেরি হলেও তার পরদিন/gu, better: "পরদিন সকালের মধ্যেই" },
  { found: /কেউ একজন/gu, better: "কেউ, টিমের কেউ" },
  { found: /কথা দেওয়া (?:তারিখ|দিন)/gu, better: "শেষ তারিখ, যে তারিখ দিয়েছিলাম" },
  { found: /আইনে (?:আর )?পরের তারিখ নেই/gu, better: "আইনে এর পরের তারিখ দেওয়া যায় না" },
  { found: /লিখে রেখেছি/gu, better: "জমা নিয়েছি", isProductOnly: true },
  { found: /শুভেচ্ছা,/gu, better: "no greeting" },
  { found: /কিছু খোলে না|দরজা খোলে/gu, better: "এখানে নিবন্ধিত নয়, একবার ঢোকা যায়" },
  { found: /কীভাবে দেখিয়েছেন/gu, better: "মালিকানার প্রমাণ" },
  { found: /টিম ছেড়েছেন|আর অ্যাডমিন নন/gu, better: "সরানো হয়েছে, অ্যাডমিন থেকে সরান" },
  { found: /সবার জন্য খোলা (?:প্রতিটি )?পেজ/gu, better: "সাধারণ পেজগুলো" },
  { found: /(?:রাইডের |^)অন্য মানুষটি/gu, better: "আপনার সঙ্গের চালক বা যাত্রী" },
  { found: /অনুরোধটি নিজে(?! থেকে|ই)/gu, better: "অনুরোধের তথ্য" },
  { found: /আমরা যখন শেষ করি/gu, better: "আমরা যখন অ্যাকাউন্ট বন্ধ করি" },
  {
    found: /(?<![\p{L}\p{M}])চড়(?:তে|েন|া|ুন)(?![\p{L}\p{M}])/gu,
    better: "রাইড নেওয়া",
    isProductOnly: true,
  },
  {
    found: /(?<![\p{L}\p{M}])পাতা(?:টি|টা|য়|র)?(?![\p{L}\p{M}])/gu,
    better: "পেজ",
    isProductOnly: true,
  },
  { found: /সাইন[ -]?ইন(?![\p{L}\p{M}])/gu, better: "লগইন" },
  { found: /বোতাম/gu, better: "বাটন" },
  { found: /তথ্যভান্ডার/gu, better: "ডেটাবেস" },
  { found: /হেলমেটের কাচ/gu, better: "হেলমেটের গ্লাস" },
  {
    found: /(?<![\p{L}\p{M}])(?:উক্ত|নিম্নলিখিত|নিম্নোক্ত|প্রদানপূর্বক)/gu,
    better: "এই, নিচের",
  },
  { found: /(?<![০-৯])(?:১[৩-৯]|২[০-৩]):[০-৫][০-৯]/gu, better: "the part of the day: সন্ধ্যা ৭:০৫" },
  { found: /(?!\p{Nd})[\p{Script=Bengali}\p{M}]\.(?=\s|$)/gu, better: "the sentence's end as ।" },
  { found: /[০-৯]:[০-৫][০-৯]টা/gu, better: "সাড়ে ১১টা, or ১১:৩০" },
];

const german: readonly Rule[] = [
  {
    found:
      /(?:antwortet|liest|prüft) ein Mensch|(?<!\p{L})ein Mensch (?:antwortet|liest|prüft|muss|aus)/giu,
    better: "jemand aus dem Team",
  },
  { found: /Schreibtisch/gu, better: "Löschanträge", isProductOnly: true },
  { found: /Löschbuch/gu, better: "Löschverzeichnis" },
  { found: /öffnet (?:hier )?nichts/gu, better: "ist hier nicht bekannt, gilt nicht mehr" },
  { found: /öffnet einmal/gu, better: "gilt einmal" },
  { found: /(?<!du )(?<!\p{L})tu nichts/gu, better: "musst du nichts tun" },
  { found: /(?<!\p{L})stoppe? es(?!\p{L})/giu, better: "stoppe die Löschung" },
  {
    found: /(?:gespeichert|gelöscht|geändert) (?:ist|wurde) nichts/giu,
    better: "wir haben nichts gespeichert, gelöscht, geändert",
  },
  { found: /zugesagte[nrs]? Tag(?!\p{L})/gu, better: "zugesagter Termin" },
  { found: /zurückgestellt|Zurückstell/gu, better: "pausiert, Pause", isProductOnly: true },
  {
    found: /verschlüsselter Abdruck|verfremdete Form|Fingerabdruck/gu,
    better: "Code (Keyed Hash)",
    isProductOnly: true,
  },
  { found: /E-Mails?(?![-\p{L}])/gu, better: "Mail", isProductOnly: true },
  { found: /(?<!\p{L})[Bb]innen(?!\p{L})/gu, better: "innerhalb von" },
  { found: /hast du nach \d+ Tagen/gu, better: "innerhalb von 14 Tagen" },
  { found: /(?<!\p{L})(?:ist|sind|wurde|wird) getan|^Getan/gu, better: "erledigt" },
  { found: /Werktag/gu, better: "Arbeitstag" },
  { found: /Bildungseinrichtung/gu, better: "Hochschule" },
  { found: /Bearbeitung (?:dauert|erfolgt)/gu, better: "das dauert" },
  {
    found:
      /(?<!\p{L})(?:bezüglich|seitens|hinsichtlich|zwecks|diesbezüglich|gegebenenfalls|in Kenntnis)(?!\p{L})/giu,
    better: "it in plain words",
  },
  { found: /(?:wird|werden) (?:von|durch) uns/gu, better: "wir …" },
  { found: /wo dein Platz\s(?:gerade )?ist/gu, better: "wo deine Fahrt gerade ist" },
  { found: /(?:ist dir etwas|etwas) im Weg\?/giu, better: "Kommst du nicht weiter?" },
  { found: /das Haus verlassen/gu, better: "ist raus" },
  { found: /vergeblich versucht/gu, better: "ließ sich nicht …" },
  { found: /Gespeichert wird sie nicht/gu, better: "wir speichern sie nicht im Klartext" },
  { found: /[Mm]acht Sinn/gu, better: "ist sinnvoll" },
  { found: /(?<!\p{L})in 20\d\d(?!\d)/gu, better: "2026, im Jahr 2026" },
  { found: /(?<=\p{Ll}en )Sie(?!\p{L})/gu, better: "du", isProductOnly: true },
];

const arabic: readonly Rule[] = [
  { found: /(?:ت|س)?خرجت? (?:ال|أي )?رسالة|الرسالة تخرج|خرج كل شيء/gu, better: "تُرسَل" },
  { found: /لا يفتح شيئًا|يفتح الباب/gu, better: "غير مسجل هنا، يُدخلك مرة" },
  { found: /سيتم(?!\p{L})|قام بـ|قمنا ب/gu, better: "the verb itself" },
  { found: /من قِبَل|من قبلنا/gu, better: "the doer as subject" },
  { found: /لم يُ(?:حفظ|حذف) شيء/gu, better: "لم نحفظ شيئًا، لم نحذف شيئًا" },
  { found: /ليس عليك فعل/gu, better: "لست بحاجة إلى فعل" },
  { found: /من تلقاء نفسه/gu, better: "تلقائيًا" },
  { found: /الساعة موضع شك/gu, better: "ساعة الخادم قد تكون خطأ", isProductOnly: true },
];

const tables: { readonly [Language in string]?: readonly Rule[] } = {
  en: english,
  bn: bangla,
  de: german,
  ar: arabic,
};

export const wordingLanguages = Object.keys(tables);

export type Wording = { sentence: string; index: number };

/** Finds discouraged words in a text, each with a better word. */
export function findWording(
  language: string,
  text: string,
  { isProduct = false } = {},
): readonly Wording[] {
  const rules = tables[language] ?? [];
  return rules
    .filter((rule) => isProduct || !rule.isProductOnly)
    .flatMap(({ found, better }) =>
      [...text.matchAll(found)].map(({ 0: word, index }) => ({
        sentence: `says "${word}"; people say: ${better}`,
        index,
      })),
    );
}
