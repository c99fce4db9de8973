/** A day as a date field or a command line gives it, such as `2027-03-10`; undefined for whatever is none. */
export function readDate(typed: string | undefined): Temporal.PlainDate | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(typed ?? "")) return undefined;
  try {
    return Temporal.PlainDate.from(typed ?? "", { overflow: "reject" });
  } catch {
    return undefined;
  }
}
