/** Names the kind of an error with its codes, SQLite's own too; its words may repeat what must not be logged. */
export function nameOfError(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  const { code, errcode } = error as NodeJS.ErrnoException & { errcode?: number };
  return [error.name, code, errcode].filter((part) => part !== undefined).join(" ");
}
