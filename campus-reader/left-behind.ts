/** Checks whether a file manager creates files with this name. Such files are ignored. */
export function isLeftBehind(name: string): boolean {
  return /^\.|^(thumbs\.db|desktop\.ini)$/i.test(name);
}
