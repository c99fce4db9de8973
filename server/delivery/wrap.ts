const width = 74;

/**
 * Wraps text at `width` columns.
 * @param first prefix of the first line
 * @param rest prefix of the other lines
 */
export function wrap(text: string, first = "", rest = first): string {
  const lines: string[] = [];
  let line = first;
  for (const word of text.split(" ")) {
    const empty = line === first || line === rest;
    if (!empty && line.length + 1 + word.length > width) {
      lines.push(line);
      line = rest + word;
    } else {
      line += empty ? word : ` ${word}`;
    }
  }
  return [...lines, line].join("\n");
}

/**
 * Reverses `wrap`, for a screen that wraps lines itself. URLs and a table of facts, which `wrap`
 * leaves as they are, stay on separate lines.
 */
export function unwrap(text: string): string {
  const blocks = text.split("\n\n");
  return blocks.map((block) => (isTable(block) ? block : joinLines(block))).join("\n\n");
}

/** Returns whether spaces align the values of these lines, as in "Reference:   ABCD-EFGH". */
const isTable = (block: string) => /^[^\s>-][^:\n]*: {2,}\S/m.test(block);

function joinLines(text: string): string {
  let last = "";
  const joined: string[] = [];
  for (const line of text.split("\n")) {
    const [, mark = "", rest = ""] = /^(> | {2}|)(.*)$/.exec(line) ?? [];
    const [word = ""] = rest.split(" ");
    const isBroken = last !== "" && last.length + 1 + word.length > width;
    const isOwnLine =
      word === "" || /^(https?:|- )/.test(rest) || last.startsWith("> ") !== (mark === "> ");
    if (isBroken && !isOwnLine) joined.push(`${joined.pop()} ${rest}`);
    else joined.push(line);
    last = line;
  }
  return joined.join("\n");
}
