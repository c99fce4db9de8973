/** Where a page of the queue begins: behind the request with this id, which is due on this day. */
export type Place = { key: string; id: number };

/** A place as an address has it, such as 2026-12-06~17. It says nothing of a person. */
export function placeToText({ key, id }: Place): string {
  return `${key}~${id}`;
}

/** Undefined for what no page of ours made. */
export function placeFromText(text: string | null): Place | undefined {
  const read = /^(?<key>\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))~(?<id>\d{1,15})$/.exec(
    text ?? "",
  )?.groups;
  return read && { key: read.key ?? "", id: Number(read.id) };
}
