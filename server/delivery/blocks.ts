import { isCode } from "../platform/addresses/codes.ts";
import { createBorrowedMarks } from "../platform/i18n/borrowed-words.ts";
import { directionOf } from "../platform/i18n/direction.ts";
import { createWriteText, escapeHtml, type WriteText } from "../platform/i18n/html-text.ts";
import { removeNoBreaks } from "../platform/i18n/no-breaks.ts";
import type { SplitRuns } from "../platform/i18n/text-runs.ts";
import type { WrittenMail } from "./mailer.ts";
import { wrap } from "./wrap.ts";

/**
 * A block of an email's content. The plain text and the HTML are rendered from the same blocks. The
 * HTML loads no external files.
 */
export type Block =
  /** `command` is rendered verbatim so that it can be copied. */
  | { kind: "paragraph" | "quote" | "title" | "command" | "small"; text: string }
  /** Labeled values, each with an optional link. */
  | {
      kind: "facts";
      rows: readonly (readonly [label: string, value: string, address?: string | undefined])[];
    }
  /** A bulleted list. `addresses` contains the URLs of the items, in the same order. */
  | {
      kind: "list";
      items: readonly string[];
      addresses?: readonly (string | undefined)[];
    }
  /** A button. `by` is the deadline shown below the button. */
  | { kind: "button"; text: string; by?: string | undefined; address: string }
  /**
   * A button's URL, as a fallback for people who can't click the button. Omitted from the plain
   * text, where the button already shows its URL.
   */
  | { kind: "address"; text: string; address: string };

/** Hex colors, keyed by their names in `campus/theme.css`. */
export type MailTheme = { light: Record<string, string>; dark: Record<string, string> };

/**
 * CSS backgrounds of an email's ornamental top edge. The site uses the same ornaments
 * (app/components/edges/).
 */
const hems = {
  scallops: (colour) =>
    `radial-gradient(circle at 50% -2px,${colour("rani")} 0 9px,${colour("outline")} 9.5px 11px,transparent 11.5px) 50% 0/24px 12px repeat-x`,
  waves: (colour) =>
    `linear-gradient(${colour("rani")} 0 0) 0 0/100% 3px no-repeat,radial-gradient(28.9% 200% at 75% 200%,transparent calc(100% - .5px),${colour("outline")} 100% calc(100% + 2px),${colour("rani")} calc(100% + 2.5px)) 0 2px/46px 5.5px repeat-x,radial-gradient(28.9% 200% at 25% -100%,${colour("rani")} calc(100% - 2.5px),${colour("outline")} calc(100% - 2px) calc(100% - .5px),transparent) 0 7px/46px 5px repeat-x`,
} satisfies Record<string, (colour: (name: string) => string) => string>;
export type Hem = keyof typeof hems;

/**
 * A text file attached to an email. It starts with the email's title and the human-readable
 * `blocks`, followed by the machine-readable `lines`.
 */
export type Attached = { name: string; blocks: readonly Block[]; lines: readonly string[] };

type Mail = {
  language: string;
  /** The campus's default language, used for text that is missing in `language`. */
  firstLanguage?: string | undefined;
  subject: string;
  preview: string;
  /** The product name, shown above the title. */
  brand: string;
  title: string;
  blocks: readonly Block[];
  attached?: Attached | undefined;
  theme: MailTheme;
  hem: Hem;
  /** Finds the parts that the HTML marks with their language or direction. */
  split: SplitRuns;
};

export function writeMail(mail: Mail): WrittenMail {
  const { title, blocks, attached } = mail;
  const subject = removeNoBreaks(mail.subject);
  return {
    subject,
    text: writeText(title, blocks),
    html: writeHtml(mail, subject),
    attachment: attached && {
      name: attached.name,
      text: `${writeText(title, attached.blocks)}\n${attached.lines.join("\n")}`,
    },
  };
}

export function writeText(title: string, blocks: readonly Block[]): string {
  const parts = [
    `${title}\n${"=".repeat(title.length)}`,
    ...blocks.filter(({ kind }) => kind !== "address").map(toText),
  ];
  // Removes the no-break characters last, because `wrap` needs them.
  return `${removeNoBreaks(parts.join("\n\n"))}\n`;
}

function toText(block: Block): string {
  switch (block.kind) {
    case "paragraph":
    case "small":
      return wrap(block.text.replace(/\*\*|`/g, ""));
    case "command":
      return `    ${block.text}`;
    case "title":
      return `${block.text}\n${"-".repeat(block.text.length)}`;
    case "quote":
      return block.text
        .split("\n")
        .map((line) => wrap(line, "> "))
        .join("\n");
    case "facts": {
      const longest = Math.max(...block.rows.map(([label]) => label.length));
      return block.rows
        .map(
          ([label, value, address]) =>
            `${`${label}:`.padEnd(longest + 2)}${value}${address ? `\n${address}` : ""}`,
        )
        .join("\n");
    }
    case "list":
      return block.items
        .map((item, place) => {
          const address = block.addresses?.[place];
          return `${wrap(item, "- ", "  ")}${address ? `\n${address}` : ""}`;
        })
        .join("\n");
    case "button":
      return `${[block.text, ...(block.by ? [block.by] : [])].join("\n")}:\n${block.address}`;
    case "address":
      return `${wrap(block.text)}\n${block.address}`;
  }
}

/** Hides the preview text. Applied inline, because many email clients strip `<style>` elements. */
const hidden =
  "display:none;font-size:1px;line-height:1px;max-height:0;max-width:0;opacity:0;overflow:hidden;mso-hide:all";

function writeHtml({ split, ...mail }: Mail, subject: string): string {
  const borrowed = createBorrowedMarks(mail.language, mail.firstLanguage);
  const say = createWriteText({ borrowed, split }, writeWords);
  return `<!doctype html>
<html lang="${escapeHtml(mail.language)}" dir="${directionOf(mail.language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>
:root{color-scheme:light dark}
${writeStyle(mail.theme, mail.hem)}
</style>
</head>
<body>
<div style="${hidden}">${say(mail.preview)}</div>
<div class="hem"></div>
<div class="mail">
<div class="brand"><span translate="no">${say(mail.brand)}</span></div>
<div class="card">
<h1>${say(mail.title)}</h1>
${mail.blocks.map((block) => toHtml(block, say)).join("\n")}
</div>
</div>
</body>
</html>
`;
}

function writeStyle({ light, dark }: MailTheme, hem: Hem): string {
  const colour = (scheme: Record<string, string>, name: string) => {
    const value = scheme[name];
    if (!value || !/^#[0-9a-f]{6}$/i.test(value)) throw new Error(`The theme has no color ${name}`);
    return value;
  };
  return `
body{margin:0;padding:0;background:${colour(light, "paper")};color:${colour(light, "ink")}}
.mail{background:${colour(light, "paper")};padding:16px 12px 24px;font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
.hem{border-top:6px solid ${colour(light, "marigold")};height:12px;background:${hems[hem]((name) => colour(light, name))}}
.card{max-width:560px;margin:0 auto;background:${colour(light, "surface")};color:${colour(light, "ink")};border:2px solid ${colour(light, "outline")};border-radius:20px;padding:24px}
.brand{max-width:612px;margin:0 auto 12px;font-size:18px;line-height:24px;font-weight:800}
.brand span{display:inline-block;background:${colour(light, "marigold")};color:${colour(light, "on-marigold")};border:2px solid ${colour(light, "outline")};border-radius:12px;padding:2px 12px}
.card h1{font-size:26px;line-height:1.25;margin:0 0 8px;text-wrap:balance}
.card h2{font-size:18px;line-height:1.3;margin:28px 0 8px}
.card p{margin:0 0 16px;overflow-wrap:anywhere;text-wrap:pretty}
.card blockquote{margin:0 0 16px;padding-block:4px;padding-inline:16px 0;border-inline-start:4px solid ${colour(light, "primary")}}
.card table{border-collapse:collapse;width:100%;margin:0 0 20px}
.card th{text-align:start;vertical-align:top;padding-block:6px;padding-inline:0 16px;width:30%}
.card td{vertical-align:top;padding:6px 0;overflow-wrap:anywhere;text-wrap:pretty}
.card a{color:${colour(light, "link")}}
.card code{font-family:ui-monospace,"Cascadia Mono","Noto Sans Mono",Menlo,Consolas,monospace;font-size:15px}
.card .command{padding:10px 14px;border:1px solid ${colour(light, "field-line")};border-radius:10px;background:${colour(light, "paper")}}
.card ul{margin:0 0 16px;padding:0;padding-inline-start:22px}
.card li{margin:0 0 6px;overflow-wrap:anywhere}
.card .button{display:inline-block;background:${colour(light, "primary")};color:${colour(light, "on-primary")};font-weight:700;text-decoration:none;text-align:center;text-wrap:balance;font-size:17px;line-height:24px;padding:10px 22px;border-radius:14px;border:2px solid ${colour(light, "outline")}}
.card .by{margin:-6px 0 20px}
.small{font-size:14px;color:${colour(light, "ink-soft")};overflow-wrap:anywhere}
.whole{white-space:nowrap}
.card>:last-child{margin-bottom:0}
@media (max-width:420px){.mail{padding:8px 8px 16px}.brand{margin-bottom:7px;font-size:16px;line-height:20px}.card{padding:12px 16px 18px}.card h1{font-size:22px;margin-bottom:4px}.card p:has(+p>.button){margin-bottom:10px}.card .facts th,.card .facts td{display:block;width:auto}.card .facts td{padding-top:0}}
@media (prefers-color-scheme:dark){
body,.mail{background:${colour(dark, "paper")}!important;color:${colour(dark, "ink")}!important}
.hem{border-color:${colour(dark, "marigold")}!important;background:${hems[hem]((name) => colour(dark, name))}!important}
.card{background:${colour(dark, "surface")}!important;color:${colour(dark, "ink")}!important;border-color:${colour(dark, "outline")}!important}
.brand span{background:${colour(dark, "marigold")}!important;color:${colour(dark, "on-marigold")}!important;border-color:${colour(dark, "outline")}!important}
.card blockquote{border-color:${colour(dark, "primary")}!important}
.small{color:${colour(dark, "ink-soft")}!important}
.card a{color:${colour(dark, "link")}!important}
.card .button{background:${colour(dark, "primary")}!important;color:${colour(dark, "on-primary")}!important;border-color:${colour(dark, "outline")}!important}
.card .command{background:${colour(dark, "paper")}!important}
.card .command{border-color:${colour(dark, "field-line")}!important}
}
`.trim();
}

function writeWords(words: string): string {
  // Replaces the word joiner with a styled element, because some email clients render a word joiner
  // as a box.
  return escapeHtml(words).replace(
    /-\u2060([\p{L}\p{M}\p{N}]+)/gu,
    '<span class="whole">-$1</span>',
  );
}

function toHtml(block: Block, say: WriteText): string {
  switch (block.kind) {
    case "paragraph":
      return `<p>${toInline(block.text, say)}</p>`;
    case "small":
      return `<p class="small">${toInline(block.text, say)}</p>`;
    case "command":
      return `<p class="command">${toCode(block.text)}</p>`;
    case "title":
      return `<h2>${say(block.text)}</h2>`;
    case "quote":
      return `<blockquote>${say(block.text).replaceAll("\n", "<br>")}</blockquote>`;
    case "facts":
      return `<table class="facts">${block.rows
        .map(
          ([label, value, address]) =>
            `<tr><th scope="row">${toLink(say, label, address)}</th><td${isCode(value) ? untranslated : ""}>${say(value)}</td></tr>`,
        )
        .join("")}</table>`;
    case "list":
      return `<ul>${block.items
        .map((item, place) => `<li>${toLink(say, item, block.addresses?.[place])}</li>`)
        .join("")}</ul>`;
    case "button": {
      const button = `<p><a class="button" href="${escapeHtml(block.address)}">${say(block.text)}</a></p>`;
      return block.by ? `${button}\n<p class="by"><strong>${say(block.by)}</strong></p>` : button;
    }
    case "address": {
      // Allows line breaks in a long URL only between its parts.
      const shown = block.address.split(/(?=(?<![/:])\/|&)/).map(escapeHtml);
      return `<p class="small">${say(block.text)}<br><a href="${escapeHtml(block.address)}" dir="ltr">${shown.join("<wbr>")}</a></p>`;
    }
  }
}

/**
 * Renders text whose first word links to `address`. The word is usually a reference, which must not
 * break at its hyphen. The URL itself isn't shown, because it would fill four lines on a phone.
 */
function toLink(say: WriteText, text: string, address: string | undefined): string {
  const [word = ""] = /^[^\s,]+/.exec(text) ?? [];
  const isWhole = word.includes("-");
  if (address === undefined && !isWhole) return say(text);
  const first = isWhole ? `<span class="whole"${untranslated}>${say(word)}</span>` : say(word);
  const rest = say(text.slice(word.length));
  return address === undefined
    ? first + rest
    : `<a href="${escapeHtml(address)}">${first}</a>${rest}`;
}

const untranslated = ' translate="no"';
const isolated = `${untranslated} dir="ltr"`;

const inlineParts = /(\*\*.+?\*\*|`.+?`|[\w.+-]+@[\w-]+(?:\.[\w-]+)+)/;

/** Renders **bold** text, `code`, and email addresses as mailto links. */
function toInline(text: string, say: WriteText): string {
  return say(text, (words, sayPart) =>
    words
      .split(inlineParts)
      .map((part, at) => {
        if (at % 2 === 0) return sayPart(part);
        if (part.startsWith("`")) return `<code${isolated}>${escapeHtml(part.slice(1, -1))}</code>`;
        if (part.startsWith("**"))
          return `<strong>${toInline(part.slice(2, -2), sayPart)}</strong>`;
        return `<a href="mailto:${part}"${isolated}>${part}</a>`;
      })
      .join(""),
  );
}

/** Renders a command. Lines can break between words but not at a hyphen. */
function toCode(text: string): string {
  const words = escapeHtml(text).replace(/\S*-\S*/g, '<span class="whole">$&</span>');
  return `<code${isolated}>${words}</code>`;
}
