/** Returns true for files that file managers leave behind. */
export function isLeftBehind(name: string): boolean {
  return /^\.|^(thumbs\.db|desktop\.ini)$/i.test(name);
}
