/** Behind which act of each of the two sources the next page begins. */
export type TeamPlace = { at: string; journal: number; request: number };

/** A place as an address has it. */
export function teamPlaceToText({ at, journal, request }: TeamPlace): string {
  return `${at}~${journal}~${request}`;
}

/** Undefined for what no page of ours made. */
export function teamPlaceFromText(text: string | null): TeamPlace | undefined {
  const read = /^([\dTZ.:-]{1,30})~(\d{1,15})~(\d{1,15})$/.exec(text ?? "");
  return read
    ? { at: read[1] ?? "", journal: Number(read[2]), request: Number(read[3]) }
    : undefined;
}
