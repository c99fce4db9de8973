/** Returns whether a file manager leaves files with this name behind. */
export function isLeftBehind(name: string): boolean {
  return /^\.|^(thumbs\.db|desktop\.ini)$/i.test(name);
}
