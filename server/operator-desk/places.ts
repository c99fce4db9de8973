/** Where a page of a list begins: behind the row with this id, whose sorted column has this text. */
export type Place = { key: string; id: number };

/** A place as an address has it, such as 2026-12-06~17. It says nothing of a person. */
export function placeToText({ key, id }: Place): string {
  return `${key}~${id}`;
}

/** Undefined for what no page of ours made. */
export function placeFromText(text: string | null): Place | undefined {
  const read = /^(?<key>[\dTZ.:-]{0,30})~(?<id>\d{1,15})$/.exec(text ?? "")?.groups;
  return read && { key: read.key ?? "", id: Number(read.id) };
}
