import { join } from "node:path";
import { CampusError, readCampusData } from "../campus-reader/data-files.ts";
import { findFormerWords } from "../campus-reader/words.ts";
import { readConfig } from "../server/config.ts";
import { findUnreadable } from "./contrast.ts";
import { loadedCampus } from "./loaded-campus.ts";
import { readOwnPictures } from "./own-pictures.ts";
import { requirePictures } from "./pictures-plugin.ts";
import { writeSampleMails } from "./sample-mails.ts";
import { readTheme } from "./theme.ts";

/**
 * Validates a campus like a build, but builds nothing: texts, colours, pictures, and one email of
 * each kind.
 * @throws CampusError, one line for each mistake
 */
export async function checkCampus(campusDir: string): Promise<void> {
  const campus = loadedCampus(campusDir);
  const theme = readTheme(join(campusDir, "theme.css"));
  const unreadable = findUnreadable(theme);
  if (unreadable.length > 0) throw new CampusError(unreadable.join("\n"));
  for (const one of [campus, ...campus.translations]) writeSampleMails(one, theme);
  requirePictures(campus, await readOwnPictures(campusDir));
}

const toTakeOut =
  "What deletion.yaml tells of this website may be taken out: words/ has it, and held in content/LANGUAGE/deletion.yaml is for yours.";

if (import.meta.main) {
  const isBrief = process.argv.includes("--briefly");
  const read = readConfig({ CAMPUS_DIR: process.env.CAMPUS_DIR });
  if (!read.ok) throw new Error(read.problems.join("\n"));
  const { campusDir } = read.config;
  try {
    await checkCampus(campusDir);
    console.log(`No mistakes in ${campusDir}.`);
    const { settings, dataList } = readCampusData(campusDir);
    const first = loadedCampus(campusDir);
    for (const one of first.translations) {
      const borrowed = one.landing.services.items.filter(({ language }) => language);
      const names = borrowed.map(({ id }) => id).join(", ");
      const place = `content/${one.settings.language}/landing.yaml: services.items`;
      if (names) console.log(`${place}: not translated, shown in ${settings.language}: ${names}`);
    }
    const former = findFormerWords(campusDir, settings);
    const lines = new CampusError(former.join("\n")).seenIn(campusDir);
    const named = isBrief ? "npm run campus -- check names them" : `\n${lines}`;
    if (former.length > 0)
      console.log(
        `${former.length} texts were written for an earlier version and are not shown: ${named}`,
      );
    const website = dataList.stores.find(({ holder }) => holder === "this-site");
    if (!isBrief && website?.words[settings.language]) console.log(toTakeOut);
  } catch (error) {
    if (!(error instanceof CampusError)) throw error;
    console.error(`${campusDir} has mistakes:\n${error.seenIn(campusDir)}`);
    process.exitCode = 1;
  }
}
