import type { CampusCalendar, DataKind, DataListSetting } from "./schema.ts";
import type { Report } from "./texts.ts";

export type DataNames = {
  dataKinds: DataKind[];
  /** What holidays are called, by key, and by what they are called in the first language. */
  holidays: Record<string, string>;
};

/** What holidays and kinds of data are called in a language. */
export function nameData(
  data: { calendar?: CampusCalendar | undefined; dataList?: DataListSetting | undefined },
  { language, first }: { language: string; first: string },
  report: Report,
): DataNames {
  const { stores = [], kinds = [], ownershipProofs = [] } = data.dataList ?? {};
  const names = Object.entries(data.calendar?.names ?? {});
  const lacking = (file: string, place: string) => {
    const todo = `has no words in the language ${language}; write them there as ${language}:`;
    report(file, place, todo);
  };
  for (const [key, name] of names) if (!name[language]) lacking("calendar.yaml", `names.${key}`);
  for (const list of Object.entries({ ownershipProofs, stores, kinds })) {
    for (const { key, words } of list[1]) {
      if (!words[language]) lacking("deletion.yaml", `${list[0]}.${key}.words`);
    }
  }
  const places = new Map(stores.map(({ key, words }) => [key, words[language] ?? key]));
  return {
    dataKinds: kinds.flatMap(({ words, ...kind }): DataKind[] => {
      const own = words[language];
      return own ? [{ ...kind, ...own, place: places.get(kind.store) ?? kind.store }] : [];
    }),
    holidays: Object.fromEntries([
      // Promises of former times hold the name in the first language in place of the key.
      ...names.map(([key, name]) => [name[first] ?? key, name[language] ?? key]),
      ...names.map(([key, name]) => [key, name[language] ?? key]),
    ]),
  };
}
