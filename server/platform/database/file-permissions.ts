import { chmod, stat } from "node:fs/promises";

/**
 * Removes other OS users' access to a file or folder. Does nothing on Windows, which has no such
 * file modes.
 * @returns `undefined` on success, otherwise an explanation of the failure and what to do. A folder
 * that belongs to another OS user, such as a mounted volume, may remain readable by its group.
 */
export async function keepToOwner(path: string): Promise<string | undefined> {
  if (process.platform === "win32") return undefined;
  const { mode } = await stat(path);
  if ((mode & 0o077) === 0) return undefined;
  try {
    await chmod(path, mode & 0o7700);
    return undefined;
  } catch (error) {
    const isOpenToAll = (mode & 0o007) !== 0;
    const isFolder = (mode & 0o170000) === 0o040000;
    if (isFolder && !isOpenToAll) return undefined;
    const { code } = error as NodeJS.ErrnoException;
    const wanted = isFolder ? 700 : 600;
    return `Other accounts of this machine can read ${path}, and its mode cannot be changed (${code}). As its owner, run: chmod ${wanted} ${path}`;
  }
}
