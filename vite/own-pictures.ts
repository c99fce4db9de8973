import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { extname, join } from "node:path";
import sharp from "sharp";
import type { WithPosts } from "../campus-reader/campus.ts";
import { isLeftBehind } from "../campus-reader/left-behind.ts";
import { type Details, type Mistake, refuseMistakes } from "../campus-reader/mistakes.ts";
import { readProductWords } from "../campus-reader/product-words.ts";
import { isFolder, isUtf8, notAFolder, notUtf8 } from "../campus-reader/text-files.ts";
import { removeMarks } from "../server/platform/i18n/borrowed-words.ts";
import { cleanDrawing } from "./drawings.ts";
import { stampColours, stampSchemes } from "./stamp-colours.ts";
import type { Theme } from "./theme.ts";

/** A picture from the campus's `pictures/` folder. */
export type OwnPicture = {
  /** `name` is the file's name without its extension; `file` includes the extension. */
  name: string;
  file: string;
  /** Extension of the file to serve. */
  ending: "svg" | "webp";
  width: number;
  height: number;
  /** Returns the content of the file to serve. */
  write: (theme: Theme) => string | Uint8Array;
  /** Returns SVG markup in light-mode colors, for share images and icons. */
  toSvg: (theme: Theme) => string;
};

const photoEndings = [".png", ".jpg", ".jpeg", ".webp", ".avif"];
const longestFile = 8 * 1024 * 1024;

/**
 * Maximum length of the longer side, in pixels. Text columns are 720 CSS pixels wide, and phones
 * have at least two pixels per CSS pixel.
 */
const longestSide = 1440;

/**
 * Reads the campus's pictures, keyed by name. Rotates photos upright, shrinks them for the web, and
 * strips the camera's metadata, such as the location.
 * @throws CampusError with the unusable files
 */
export async function readOwnPictures(campusDir: string): Promise<Map<string, OwnPicture>> {
  const { pictures, mistakes } = await checkOwnPictures(campusDir);
  refuseMistakes(mistakes);
  return pictures;
}

/**
 * Reads the campus's pictures and finds mistakes in them.
 * @returns also the names of unusable files, so that the check doesn't call these files missing
 */
export async function checkOwnPictures(campusDir: string) {
  const folder = join(campusDir, "pictures");
  const pictures = new Map<string, OwnPicture>();
  const mistakes: Mistake[] = [];
  const unusable = new Set<string>();
  if (existsSync(folder) && !isFolder(folder)) {
    mistakes.push({ file: "pictures", field: "(whole folder)", sentence: notAFolder });
  }
  const files = isFolder(folder) ? readdirSync(folder).toSorted() : [];
  for (const file of files.filter((name) => !isLeftBehind(name))) {
    const ending = extname(file).toLowerCase();
    const name = file.slice(0, -ending.length || undefined);
    const path = join(folder, file);
    const place = { file: `pictures/${file}`, field: "(whole file)" };
    const same = pictures.get(name);
    const sentence =
      explainUnusable(path, { name, ending }) ??
      (same && `has the same name as ${same.file}; keep one of them`);
    try {
      if (sentence) throw new UnusablePicture(sentence);
      const content = readFileSync(path);
      const read = ending === ".svg" ? readSvg(content.toString()) : await readPhoto(content);
      pictures.set(name, { name, file, ...read });
      if (ending !== ".svg") continue;
      for (const load of findLoads(content.toString())) {
        mistakes.push({ ...place, sentence: load, since: "1.14" });
      }
    } catch (error) {
      const reason = error instanceof UnusablePicture ? error.message : unreadable;
      mistakes.push({ ...place, sentence: reason });
      unusable.add(file);
    }
  }
  return { pictures, mistakes, unusable };
}

const unreadable = "can't be read; open it in a picture editor and save it again";

/** Explains why a file can't be a picture, judging by its name and size. */
function explainUnusable(
  path: string,
  { name, ending }: { name: string; ending: string },
): string | undefined {
  if (isFolder(path)) return "is a folder; put its pictures into pictures/ itself";
  if (ending !== ".svg" && !photoEndings.includes(ending)) {
    return "isn't a picture format that browsers support; save it as SVG, PNG, JPEG, WebP or AVIF";
  }
  if (!/^[a-z0-9][a-z0-9-]*$/.test(name)) {
    return "has a name that doesn't work in every URL; use a-z, 0-9 and hyphens";
  }
  const { size = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {};
  if (size <= longestFile) return undefined;
  const megabytes = (size / 1024 / 1024).toFixed(1);
  return `is ${megabytes} MB; save it smaller, 2000 pixels wide and below 8 MB`;
}

/** The message says what to change in the file. */
class UnusablePicture extends Error {}

/**
 * Finds pictures and fonts that an SVG would load from other files. Browsers load nothing for an
 * SVG that a page shows as a picture, so these parts would be missing.
 */
function findLoads(svg: string): string[] {
  const loads =
    /<(?:image|use|feImage)\b[^>]*?\b(?:xlink:)?href="(?!#|data:)([^"]+)"|url\(\s*(?:["']|&quot;)?(?!["'#&]|data:)([^)"'&]+)|@import\s+(?:url\()?["']?([^"');]+)/g;
  const names = [...svg.matchAll(loads)].map(([, ...found]) => found.find(Boolean) ?? "");
  const todo = "embed pictures in the SVG, and turn text into paths";
  return [...new Set(names)].map((name) => `loads ${name}, which browsers don't show; ${todo}`);
}

type Read = Omit<OwnPicture, "name" | "file">;

function readSvg(text: string): Read {
  if (!isUtf8(text)) throw new UnusablePicture(notUtf8);
  const svg = cleanDrawing(text);
  const [, box = ""] = /viewBox="([^"]+)"/.exec(svg) ?? [];
  const [, , width = 0, height = 0] = box.split(/[\s,]+/).map(Number);
  if (!width || !height) {
    throw new UnusablePicture(
      'has no size; give its svg element one, such as viewBox="0 0 240 80"',
    );
  }
  return {
    ending: "svg",
    width,
    height,
    write: (theme) => stampSchemes(svg, theme),
    toSvg: (theme) => stampColours(svg, theme.light),
  };
}

async function readPhoto(content: Buffer): Promise<Read> {
  const limits = { width: longestSide, height: longestSide, fit: "inside" } as const;
  const upright = sharp(content)
    .rotate()
    .resize({ ...limits, withoutEnlargement: true });
  const { data, info } = await upright.clone().webp({ quality: 80 }).toBuffer({
    resolveWithObject: true,
  });
  const png = await upright.clone().png().toBuffer();
  const { width, height } = info;
  return {
    ending: "webp",
    width,
    height,
    write: () => data,
    toSvg: () =>
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}"><image href="data:image/png;base64,${png.toString("base64")}" width="${width}" height="${height}"/></svg>`,
  };
}

type Landing = WithPosts["landing"];

/**
 * Picture descriptions in `landing.yaml`: a pattern for the slots, the path of the field, and a
 * function that reads the field.
 */
const descriptions: readonly {
  slot: RegExp;
  place: string;
  read: (landing: Landing, slot: string) => string | undefined;
}[] = [
  { slot: /^hero$/, place: "hero.pictureAlt", read: ({ hero }) => hero.pictureAlt },
  { slot: /^phone$/, place: "hero.phoneAlt", read: ({ hero }) => hero.phoneAlt },
  { slot: /^safety$/, place: "safety.alt", read: ({ safety }) => safety.alt },
  { slot: /^about$/, place: "about.pictureAlt", read: ({ about }) => about.pictureAlt },
  {
    slot: /^service-/,
    place: "services.items: alt",
    read: ({ services }, slot) => services.items.find(({ id }) => `service-${id}` === slot)?.alt,
  },
  {
    slot: /^tile-/,
    place: "features.tiles: alt",
    read: ({ features }, slot) => features.tiles.find(({ id }) => `tile-${id}` === slot)?.alt,
  },
  {
    slot: /^step-\d$/,
    place: "steps.items: alt",
    read: ({ steps }, slot) => steps.items[Number(slot.slice(5)) - 1]?.alt,
  },
];

/**
 * Finds pictures of the campus that have no description or still have the product's. Screen readers
 * would describe a different picture.
 */
export function findMissingAlts(
  { landing, settings, translations = [] }: WithPosts & { translations?: readonly WithPosts[] },
  pictures: ReadonlyMap<string, OwnPicture>,
): Mistake[] {
  const editions = [{ landing, settings }, ...translations];
  return editions.flatMap(({ landing: texts, settings: { language } }) => {
    const ours = JSON.stringify(readProductWords(language, "landing") ?? {});
    // In a language that the product lacks, the site shows the English descriptions.
    const english = JSON.stringify(readProductWords("en", "landing"));
    return [...pictures.values()].flatMap(({ name, file }) => {
      const service = texts.services.items.find(({ picture }) => picture === name);
      const slot = service ? `service-${service.id}` : name;
      const described = descriptions.find((description) => description.slot.test(slot));
      const alt = removeMarks(described?.read(texts, slot) ?? "");
      const isOurs = !alt || ours.includes(JSON.stringify(alt));
      if (!described || !(isOurs || english.includes(JSON.stringify(alt)))) return [];
      return {
        file: `content/${language}/landing.yaml`,
        field: described.place,
        sentence: `must describe your picture pictures/${file} for people who can't see it`,
        ...(isOurs ? {} : { since: "1.14" }),
      };
    });
  });
}

/**
 * Finds photos in posts or pages that are missing from the `pictures/` folder.
 * @param unusable files that are there, with a mistake of their own
 */
export function findMissingPhotos(
  { posts, pages }: WithPosts,
  pictures: ReadonlyMap<string, OwnPicture>,
  unusable: ReadonlySet<string>,
): (Mistake & Details)[] {
  const files = [...[...pictures.values()].map(({ file }) => file), ...unusable];
  return [...posts, ...pages].flatMap(({ file, html }) =>
    [...html.matchAll(/<img src="pictures\/([^"]+)"/g)]
      .filter(([, photo = ""]) => !files.includes(photo))
      .map(([, photo]) => ({
        file,
        field: "(text)",
        sentence: `shows pictures/${photo}, which does not exist; put it into the campus's pictures/`,
        near: `pictures/${photo}`,
      })),
  );
}
