import type { z } from "zod";

/** What a schema found wrong, said for people: one line for each mistake, with file, field and what would be right. */
export function tellIssues(error: z.ZodError, file: string): string[] {
  return error.issues.flatMap((issue) => {
    const place = issue.path.join(".");
    const line = (field: string, reason: string) =>
      `campus/${file}: ${field || "(whole file)"}: ${reason}`;
    if (issue.code !== "unrecognized_keys") return [line(place, reasonOf(issue))];
    return issue.keys.map((key) =>
      line(
        [place, key].filter(Boolean).join("."),
        "is not known here; check its spelling, or remove it",
      ),
    );
  });
}

const kinds: Record<string, string> = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "a group of fields",
  record: "a group of fields",
};

function reasonOf(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_value" && issue.message.startsWith("Invalid")) {
    return `must be one of ${issue.values.map(String).join(", ")}`;
  }
  if (issue.code !== "invalid_type" || !issue.message.startsWith("Invalid input")) {
    return issue.message.startsWith("Too ") || issue.message.startsWith("Invalid")
      ? reasonOfSize(issue)
      : issue.message;
  }
  const wanted = kinds[issue.expected] ?? issue.expected;
  return issue.message.endsWith("received undefined")
    ? `is missing; it must be ${wanted}`
    : `must be ${wanted}`;
}

function reasonOfSize(issue: z.core.$ZodIssue): string {
  const unit = (origin: string) =>
    origin === "string" ? " characters" : origin === "array" ? " entries" : "";
  if (issue.code === "too_small") return `must be at least ${issue.minimum}${unit(issue.origin)}`;
  if (issue.code === "too_big") return `must be at most ${issue.maximum}${unit(issue.origin)}`;
  return issue.message;
}
