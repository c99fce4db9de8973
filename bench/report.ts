export type Row = { what: string; figure: string; limit: string; held: boolean };

export function ratio(value: number): string {
  return `${value.toFixed(2)}x`;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

export function atMost(what: string, value: number, limit: number, figure: string): Row {
  return { what, figure, limit: `${Number(limit.toFixed(2))} at most`, held: value <= limit };
}

export function atLeast(what: string, value: number, limit: number, figure: string): Row {
  return { what, figure, limit: `${limit} at least`, held: value >= limit };
}
