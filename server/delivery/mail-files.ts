import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * Writes emails to files if no mail server is configured. Each file name ends with the email's
 * message key.
 */
export type MailFiles = ReturnType<typeof createMailFiles>;

export function createMailFiles(dataDir: string) {
  const folder = join(dataDir, "mail");
  return {
    folder,

    /**
     * Writes an email. A retry overwrites the file, because the file name depends only on the
     * message.
     */
    async write(label: string, messageKey: string, content: Buffer): Promise<void> {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const path = join(folder, `${label} ${messageKey}.eml`);
      await writeFile(`${path}.new`, content, { mode: 0o600, flush: true });
      await rename(`${path}.new`, path);
    },

    /**
     * Deletes the emails with these message keys, including partly written files. Ignores missing
     * files.
     */
    async remove(messageKeys: ReadonlySet<string>): Promise<void> {
      if (messageKeys.size === 0) return;
      const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") return [];
        throw error;
      });
      const files = names.filter((name) => messageKeys.has(keyOf(name)));
      await Promise.all(files.map((name) => rm(join(folder, name), { force: true })));
    },
  };
}

/** Extracts the message key from the name of a complete or partly written file. */
function keyOf(name: string): string {
  return /([^ ]+)\.eml(?:\.new)?$/.exec(name)?.[1] ?? "";
}
