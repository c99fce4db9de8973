import { join } from "node:path";
import type { z } from "zod";
import { legalFrontMatterSchema } from "./content-schema.ts";
import type { Markdown } from "./markdown.ts";
import { hasText, readMarkdown, type Texts, type Untranslated } from "./texts.ts";

type LegalSection = {
  title: string;
  /** Summary as HTML, from a single line of Markdown. */
  inShort: string;
  /**
   * HTML before and after the table of data kinds. A marker in the section's text determines the
   * table's position.
   */
  parts: string[];
} & Untranslated;

export type LegalDocument = z.infer<typeof legalFrontMatterSchema> & {
  /** HTML before the first section. */
  intro: string;
  sections: LegalSection[];
} & Untranslated;

/**
 * Reads a legal document.
 * @param original the document in the default language, if this document is a translation
 */
export function readLegal(
  texts: Texts,
  name: "privacy-policy" | "terms-conditions",
  original?: LegalDocument,
): LegalDocument {
  const { first, markdown } = texts;
  const file = join(texts.content, "legal", `${name}.md`);
  const report = (place: string, reason: string) => texts.report(file, place, reason);
  if (original && !hasText(texts, `legal/${name}.md`)) return { ...original, language: first };
  const { front, body } = readMarkdown(texts, file, legalFrontMatterSchema);
  // A document without text has nothing else to check.
  if (!front && body === "") return { title: "", description: "", intro: "", sections: [] };
  const [intro = "", ...chunks] = `\n${body}`.split(/\n## /);
  const sections = chunks.map((chunk, index) => {
    const same = original?.sections[index];
    // A heading that is a single hyphen marks a section as untranslated.
    if (same && /^-\s*(?:\n|$)/.test(chunk)) return { ...same, language: first };
    return readSection(chunk, markdown, report);
  });
  if (sections.length === 0) {
    report("(text)", 'has no section; each begins with "## " and its title');
  }
  const wanted = original?.sections.length ?? sections.length;
  // Skips the comparison if the original has no sections because of a mistake.
  if (sections.length !== wanted && wanted > 0) {
    const kept = '"## -" marks a section that is not translated';
    const reason = `has ${sections.length} sections, must have ${wanted} as the original has; ${kept}`;
    report("(text)", reason);
  }
  const tables = sections.reduce((sum, { parts }) => sum + Math.max(0, parts.length - 1), 0);
  if (name === "privacy-policy" && tables !== 1) {
    const line = "the line {{table:data-kinds}} once, where the table of data belongs";
    report("(text)", `must contain ${line}`);
  }
  if (original && front && front.authoritative !== first) {
    report("authoritative", `must be ${first}, the language whose text counts`);
  }
  return { title: "", description: "", ...front, intro: markdown.render(intro), sections };
}

function readSection(
  chunk: string,
  markdown: Markdown,
  report: (place: string, reason: string) => void,
): LegalSection {
  const [title = "", ...lines] = chunk.split("\n");
  const rest = lines.join("\n").trim();
  const quote = /^> (.+)(?:\n(?!>)|$)/.exec(rest);
  if (!quote) {
    report(`"${title}"`, 'must begin with one line "> in short"');
    return { title, inShort: "", parts: [] };
  }
  return {
    title: title.trim(),
    inShort: markdown.renderInline(quote[1] ?? ""),
    parts: markdown.render(rest.slice(quote[0].length)).split("<p>{{table:data-kinds}}</p>"),
  };
}
