import {
  isFailure,
  type RefusalKind,
  type RefusalWords,
  referenceMark,
  refusalStatus,
} from "./refusals.ts";

/** Returns placeholder messages for all refusals. */
export function refusalWords(language = "en"): RefusalWords {
  const kinds = Object.keys(refusalStatus) as RefusalKind[];
  const title = language === "en" ? "Refused" : `Refused in ${language}`;
  return {
    language,
    texts: Object.fromEntries(
      kinds.map((kind) => [
        kind,
        {
          title: `${title}: ${kind}`,
          detail: "Nothing was stored",
          writeHtml: () =>
            `<!DOCTYPE html><title>${title}: ${kind}</title>${isFailure(kind) ? referenceMark : ""}`,
        },
      ]),
    ) as RefusalWords["texts"],
    reference: "Reference:",
    policy: "default-src 'none'",
  };
}
