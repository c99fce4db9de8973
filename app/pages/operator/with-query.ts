/** One of our addresses with more in its query; it may have some already, such as its language. */
export function withQuery(path: string, more: Record<string, string>): string {
  return `${path}${path.includes("?") ? "&" : "?"}${new URLSearchParams(more)}`;
}
