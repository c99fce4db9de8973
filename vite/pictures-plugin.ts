import { hash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, parse } from "node:path";
import sharp from "sharp";
import type { Plugin } from "vite";
import type { WithPosts } from "../campus-reader/campus.ts";
import { formatAmount } from "../campus-reader/facts.ts";
import { listTrips, namePlaces, tripImage } from "../campus-reader/fares.ts";
import { splitHeadline } from "../campus-reader/headline.ts";
import { type Details, type Mistake, refuseMistakes } from "../campus-reader/mistakes.ts";
import { remembered } from "../campus-reader/text-files.ts";
import { removeMarks } from "../server/platform/i18n/borrowed-words.ts";
import { directionOf } from "../server/platform/i18n/direction.ts";
import { createSay } from "../server/platform/i18n/texts.ts";
import { comingSoon, drawCurrency, listPostDrawings, readDrawing } from "./drawings.ts";
import { findHeadingFont } from "./heading-font.ts";
import { createPen, type LinePen } from "./line-pen.ts";
import { loadedCampus } from "./loaded-campus.ts";
import {
  findMissingAlts,
  findMissingPhotos,
  type OwnPicture,
  readOwnPictures,
} from "./own-pictures.ts";
import { writeOverview } from "./picture-overview.ts";
import { findServiceArt, type Slot, slotsFor } from "./picture-slots.ts";
import { stampColours, stampSchemes } from "./stamp-colours.ts";
import { drawStoreCodes } from "./store-codes.ts";
import { readTheme, type Theme } from "./theme.ts";

const id = "virtual:pictures";

/**
 * Number of newest posts that get their own share image, with the post's title. Limited, because
 * each image takes build time and disk space.
 */
const ownShareImages = 100;

type Shown = {
  url: string;
  night?: string;
  width: number;
  height: number;
  /** True for a campus's own picture. Such pictures are never mirrored. */
  own?: true;
};

export type Files = {
  pictures: Record<string, Shown>;
  /** Photos within text, keyed by file name, such as `gate.jpg`. */
  photos: Record<string, Shown>;
  shareImages: Record<string, string>;
  /**
   * All pictures that a campus can replace. `own` is the name of the campus's file, or undefined if
   * the campus hasn't replaced the picture.
   */
  slots: readonly (Slot & { own?: string | undefined })[];
  /** Functions that generate files on request, keyed by URL path without the leading slash. */
  content: Map<string, () => string | Uint8Array | Promise<Uint8Array>>;
};

const drawn = new Map<string, Promise<Files>>();

/**
 * Creates a campus's picture files once for all parts of a build. Failures aren't cached, so the
 * next request after a fix tries again. If another process has drawn the files (`drawInto`), reads
 * them from the folder `DRAWN_PICTURES`.
 */
export function filesOf(campusDir: string): Promise<Files> {
  return drawn.getOrInsertComputed(campusDir, () => {
    const folder = process.env.DRAWN_PICTURES;
    if (folder) return Promise.resolve(readDrawn(folder));
    return drawFiles(campusDir).catch((error: unknown) => {
      drawn.delete(campusDir);
      throw error;
    });
  });
}

/** Name of the file that lists the drawn files and contains the rest of `Files`. */
const listName = "files.json";

/**
 * Draws a campus's picture files into a folder. A build does this in a separate process so that
 * the memory for drawing is free before the bundler starts.
 */
export async function drawInto(folder: string, campusDir: string): Promise<void> {
  const { content, ...files } = await drawFiles(campusDir);
  for (const [path, make] of content) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, await make());
  }
  const list = JSON.stringify({ ...files, paths: [...content.keys()] });
  writeFileSync(join(folder, listName), list);
}

/** Reads the files that `drawInto` wrote to the folder. */
export function readDrawn(folder: string): Files {
  const { paths, ...files } = JSON.parse(readFileSync(join(folder, listName), "utf8"));
  const read = (path: string) => [path, () => readFileSync(join(folder, path))] as const;
  return { ...files, content: new Map(paths.map(read)) };
}

/**
 * Turns the drawings in `art/` and the campus's pictures into static files, share images and icons.
 * Drawings contain the colors of both schemes. URLs contain a hash so that browsers can cache the
 * files forever. Each PNG has its own hash, but all drawings share one: a page refers to dozens of
 * drawings, and hashes don't compress.
 */
export function picturesPlugin(campusDir: string): Plugin {
  const getFiles = () => filesOf(campusDir);
  return {
    name: "pictures",
    resolveId: (source) => (source === id ? `\0${id}` : undefined),
    async load(source) {
      if (source !== `\0${id}`) return;
      const { pictures, shareImages } = await getFiles();
      return `export const pictures = ${JSON.stringify(pictures)};\nexport const shareImages = ${JSON.stringify(shareImages)};`;
    },
    async generateBundle() {
      if (this.environment.name !== "client") return;
      const { content, pictures } = await getFiles();
      for (const [path, make] of content) {
        this.emitFile({ type: "asset", fileName: path, source: await make() });
      }
      const icon = await content.get(pictures["icon-32"]?.url.slice(1) ?? "")?.();
      if (Buffer.isBuffer(icon)) {
        this.emitFile({ type: "asset", fileName: "favicon.ico", source: icoFile(icon, 32) });
      }
    },
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const path = (request.url ?? "").slice(1);
        if (path === "pictures" || path === "pictures/") {
          filesOf(campusDir)
            .then((files) => {
              response.setHeader("Content-Type", "text/html; charset=utf-8");
              response.end(writeOverview(files));
            })
            .catch(next);
          return;
        }
        if (!path.startsWith("art/")) return next();
        // Catch errors here, because Vite's HTTP server ignores a middleware's promise and an
        // unhandled rejection would end the process.
        getFiles()
          .then(async ({ content }) => {
            const make = content.get(path);
            if (!make) return next();
            const ending = path.slice(path.lastIndexOf(".") + 1);
            response.setHeader("Content-Type", `image/${ending === "svg" ? "svg+xml" : ending}`);
            response.end(await make());
          })
          .catch(next);
      });
    },
    hotUpdate({ file }) {
      if (/[\\/]art[\\/]/.test(file) || file.startsWith(campusDir)) drawn.delete(campusDir);
    },
  };
}

async function drawFiles(campusDir: string): Promise<Files> {
  const theme = readTheme(join(campusDir, "theme.css"));
  const campus = loadedCampus(campusDir);
  const ownPictures = await readOwnPictures(campusDir);
  requirePictures(campus, ownPictures);
  const files: Files = {
    pictures: {},
    photos: {},
    shareImages: {},
    slots: [],
    content: new Map(),
  };
  const byDay = addPictures(files, { campus, theme, ownPictures });
  for (const [name, source, width] of [
    ["icon-32", "icon", 32],
    ["icon-192", "icon-maskable", 192],
    ["icon-512", "icon-maskable", 512],
    ["touch-icon", "icon-maskable", 180],
  ] as const) {
    const url = addPng(files, name, byDay(source), width);
    files.pictures[name] = { url, width, height: width };
  }

  const headingFont = findHeadingFont(campusDir, campus.settings);
  for (const edition of [campus, ...campus.translations]) {
    const prefix = edition === campus ? "" : `${edition.settings.language}-`;
    for (const image of await shareImagesOf(edition, headingFont)) {
      const name = `${prefix}${image.name}`;
      const svg = shareSvg(image, byDay, edition, { theme, ownPictures });
      files.shareImages[name] = addPng(files, `share-${name}`, svg, 1200);
    }
  }
  return files;
}

type Ground = {
  campus: ReturnType<typeof loadedCampus>;
  theme: Theme;
  ownPictures: ReadonlyMap<string, OwnPicture>;
};

/**
 * Adds the site's pictures: the campus's own where available, and otherwise our drawings.
 * @returns a function from a picture's name to its SVG markup in light-mode colors
 */
function addPictures(
  files: Files,
  { campus, theme, ownPictures }: Ground,
): (name: string) => string {
  const { settings, landing, interface: labels, posts } = campus;
  const { motifs, heroVehicle, cash } = settings;
  const named = [...posts, ...Object.values(labels.blog.pictures)].map(({ picture }) => picture);
  const slots = slotsFor({
    motifs,
    heroVehicle,
    cash,
    services: landing.services.items,
    posts: named.filter((name) => !ownPictures.has(name)),
  });
  // The campus's pictures that its services refer to, keyed by the name of the service's slot.
  const chosen = new Map(
    landing.services.items.flatMap(({ id, picture = "" }): [string, OwnPicture][] => {
      const found = ownPictures.has(`service-${id}`) ? undefined : ownPictures.get(picture);
      return found ? [[`service-${id}`, found]] : [];
    }),
  );
  const ours = slots
    .filter(({ name }) => !ownPictures.has(name) && !chosen.has(name))
    .map((slot) => {
      const ready = drawCurrency(readDrawing(motifs, slot.art), settings.currency.sign);
      return { slot, svg: slot.coming ? comingSoon(ready) : ready };
    });
  const codes = drawStoreCodes(settings.stores.flatMap(({ url }) => url || []));
  const markup = new Map<string, string>();
  const drawings: { slot: Slot; file: string }[] = [];
  for (const { slot, svg } of [...ours, ...codes]) {
    markup.set(slot.name, stampColours(svg, theme.light));
    if (slot.name.startsWith("share")) continue;
    const file = slot.scheme === "day" ? stampColours(svg, theme.light) : stampSchemes(svg, theme);
    drawings.push({ slot, file });
  }
  const version = shortHash(drawings.map(({ file }) => file).join());
  for (const { slot, file } of drawings) {
    const { name, width, height, scheme } = slot;
    const url = `art/${version}/${name}.svg`;
    files.content.set(url, () => file);
    const night = scheme === "day" ? {} : { night: `/${url}#night` };
    files.pictures[name] = { url: `/${url}`, ...night, width, height };
  }
  for (const [name, picture] of ownPictures) {
    markup.set(name, picture.toSvg(theme));
    const slot = slots.find(
      (candidate) => candidate.name === name || candidate.name === `post-${name}`,
    );
    const shown = addOwn(files, picture, theme, slot);
    const place = slot?.name ?? (named.includes(name) ? `post-${name}` : name);
    if (!name.endsWith("-dark")) files.pictures[place] = shown;
    files.photos[picture.file] = shown;
  }
  for (const [name, picture] of chosen) {
    const slot = slots.find((candidate) => candidate.name === name);
    const night = files.photos[ownPictures.get(`${picture.name}-dark`)?.file ?? ""]?.url;
    files.pictures[name] = { ...addOwn(files, picture, theme, slot), ...(night && { night }) };
  }
  for (const [name] of ownPictures) {
    const dark = ownPictures.get(`${name}-dark`);
    const shown = files.pictures[name];
    const night = dark && files.photos[dark.file]?.url;
    if (shown && night) files.pictures[name] = { ...shown, night };
  }
  files.slots = [...logoSlots, ...slots].map((slot) => ({
    ...slot,
    own: (ownPictures.get(slot.name) ?? chosen.get(slot.name))?.file,
  }));
  return (name) => {
    const found = markup.get(name) ?? markup.get(name.replace(/^post-/, ""));
    if (!found) throw new Error(`There is no picture named ${name}`);
    return found;
  };
}

/** Height of the header's logo, in CSS pixels. */
const logoHeight = 40;

/** Logos for the header. Without a logo, the header shows the product's name as text. */
const logoSlots: readonly Slot[] = ["logo", "logo-dark"].map((name) => ({
  name,
  art: "",
  width: 160,
  height: logoHeight,
  where: name === "logo" ? "header of every page" : "header in the dark colours",
}));

function addOwn(files: Files, picture: OwnPicture, theme: Theme, slot: Slot | undefined): Shown {
  const { ending, width, height, write } = picture;
  const content = write(theme);
  const url = `art/${picture.name}.${shortHash(content)}.${ending}`;
  files.content.set(url, () => content);
  // A logo is as tall as the header allows. Other pictures are as wide as their slot or text
  // column.
  const isLogo = /^logo(?:-dark)?$/.test(picture.name);
  const shownWidth = isLogo
    ? Math.round((logoHeight * width) / height)
    : (slot?.width ?? Math.min(width, 720));
  return {
    url: `/${url}`,
    width: shownWidth,
    height: Math.round((shownWidth * height) / width),
    own: true,
  };
}

/**
 * Lists the share images for one language: the default image, the trips of the fare board and the
 * newest posts. Both directions of a trip share an image.
 */
async function shareImagesOf(
  { landing, posts, settings, mail }: WithPosts,
  ownFont: string | undefined,
): Promise<ShareImage[]> {
  const headline = toDrawn(landing.hero.headline);
  const say = createSay(mail.locale);
  const nameOf = namePlaces(settings);
  const trips = listTrips(settings).map(({ from, to, fare }) => {
    const rideFare = formatAmount(settings.language, fare.total);
    const [start, end] = [nameOf(from), nameOf(to)];
    const { fares } = landing;
    return {
      name: tripImage(from, to),
      title: toDrawn(say(fares.shareTitle, { rideFare, from: start, to: end })),
      lines: [say(fares.fare, { rideFare }), `${start} –`, end].map(toDrawn),
    };
  });
  const newest = posts
    .slice(0, ownShareImages)
    .map((post) => ({ ...post, title: toDrawn(post.title) }));
  const titles = [headline, ...[...trips, ...newest].map(({ title }) => title)];
  const pen = await createPen([...titles, settings.product], ownFont);
  return [
    {
      name: "default",
      drawing: "share",
      title: headline,
      lines: splitHeadline(headline).lines,
      pen,
    },
    ...trips.map((trip) => ({ ...trip, drawing: "share", pen })),
    ...newest.map(({ id, title, picture }) => ({
      name: `post-${id}`,
      drawing: "share-post",
      title,
      picture: `post-${picture}`,
      pen,
    })),
  ];
}

/** Registers a PNG to draw on request, and returns its URL path. */
function addPng({ content }: Files, name: string, svg: string, width: number): string {
  const url = `art/${name}.${shortHash(svg)}.png`;
  content.set(url, () =>
    sharp(Buffer.from(svg)).resize({ width }).png({ compressionLevel: 9 }).toBuffer(),
  );
  return `/${url}`;
}

/**
 * Fails the build if a post, page, category or service refers to an unknown picture, or if one of
 * the campus's pictures has no description.
 */
export function requirePictures(
  campus: WithPosts,
  ownPictures: ReadonlyMap<string, OwnPicture>,
): void {
  refuseMistakes(findMissingPictures(campus, ownPictures));
}

/**
 * Finds references to missing pictures, and pictures without a description.
 * @param unusable files in `pictures/` with a mistake of their own
 */
export function findMissingPictures(
  campus: WithPosts,
  ownPictures: ReadonlyMap<string, OwnPicture>,
  unusable: ReadonlySet<string> = new Set(),
): (Mistake & Details)[] {
  const unusableNames = [...unusable].map((file) => parse(file).name);
  const isThere = (name: string) => ownPictures.has(name) || unusableNames.includes(name);
  const labels = `content/${campus.settings.language}/interface.yaml`;
  const named = [
    ...Object.entries(campus.interface.blog.pictures).map(([category, { picture }]) => ({
      file: labels,
      field: `blog.pictures.${category}.picture`,
      picture,
    })),
    ...campus.posts.map(({ file, picture }) => ({ file, field: "picture", picture })),
  ];
  const drawings = listPostDrawings();
  const choices = [...ownPictures.keys(), ...drawings].join(", ");
  return [
    ...named
      .filter(({ picture }) => picture !== "" && !drawings.includes(picture) && !isThere(picture))
      .map(({ file, field, picture }) => ({
        file,
        field,
        sentence: `there is no picture named "${picture}"; choose one of ${choices}, or put a file of this name into the campus's pictures/`,
      })),
    ...campus.landing.services.items.flatMap(({ id, picture }, index): Mistake[] => {
      if (!picture || isThere(picture) || findServiceArt(id, picture)) return [];
      const todo =
        "put a file of this name into the campus's pictures/, or remove the field to use one of ours";
      return [
        {
          file: `content/${campus.settings.language}/landing.yaml`,
          field: `services.items.${index}.picture`,
          sentence: `there is no picture named "${picture}"; ${todo}`,
        },
      ];
    }),
    ...findMissingAlts(campus, ownPictures),
    ...findMissingPhotos(campus, ownPictures, unusable),
  ];
}

/**
 * Builds an .ico file from a square PNG, for programs that request /favicon.ico without reading the
 * page.
 */
function icoFile(png: Buffer, size: number): Buffer {
  const header = Buffer.alloc(22);
  header.writeUInt16LE(1, 2); // type: icon
  header.writeUInt16LE(1, 4); // number of pictures
  header.writeUInt8(size, 6);
  header.writeUInt8(size, 7);
  header.writeUInt16LE(1, 10); // color planes
  header.writeUInt16LE(32, 12); // bits per pixel
  header.writeUInt32LE(png.length, 14);
  header.writeUInt32LE(header.length, 18);
  return Buffer.concat([header, png]);
}

const shortHash = (content: string | Uint8Array) => hash("sha256", content).slice(0, 6);

type ShareImage = {
  name: string;
  /** Name of the background drawing, 1200 by 630 units. */
  drawing: string;
  title: string;
  /** Preferred lines for the title, used if they fit. */
  lines?: string[];
  /** Name of a drawing to show on the right, 480 by 320 units. */
  picture?: string;
  pen: LinePen;
};

/** Returns a title as drawn on the image: without emoji, and with line breaks only at spaces. */
function toDrawn(title: string): string {
  return removeMarks(title)
    .replace(/\p{RGI_Emoji}/gv, "")
    .replace(/\u2060|\ufe0f/g, "")
    .replace(/ {2,}/g, " ")
    .trim();
}

/**
 * Draws a share image: the background, the site's icon and name, the title, and a post's picture in
 * a frame. If the title doesn't fit, or if a letter of the title or the name is in no font, the
 * image has no text except the campus's logo.
 * In a right-to-left language, the title and the picture are swapped.
 * @param draw returns a drawing's markup by name
 */
function shareSvg(
  image: ShareImage,
  draw: (name: string) => string,
  { settings }: WithPosts,
  { theme, ownPictures }: Pick<Ground, "theme" | "ownPictures">,
): string {
  const { ink, primary } = theme.light;
  const { pen } = image;
  const isToLeft = directionOf(settings.language) === "rtl";
  const place = (from: number, width: number) => (isToLeft ? 1200 - from - width : from);
  type Box = { x: number; y: number; width: number; height: number };
  const put = (name: string, { x, y, width, height }: Box) =>
    draw(name).replace(
      /^<svg/,
      `<svg x="${place(x, width)}" y="${y}" width="${width}" height="${height}"`,
    );
  const write = (x: number, y: number, size: number, line: string) =>
    pen.draw(isToLeft ? place(x, pen.measure(line, size)) : x, y, size, line);

  const fitted = [image.title, settings.product].every(pen.canDraw) ? fitTitle(image) : undefined;
  const { lines = [], size = 0 } = fitted ?? {};
  const lineHeight = size * (pen.isTall ? 1.3 : 1.08);
  const top = 316 - ((lines.length - 1) * lineHeight) / 2 + size * 0.35;
  const title = lines
    .map((line, index) => write(72, Math.round(top + index * lineHeight), size, line))
    .join("");
  const logo = ownPictures.get("logo");
  const mark = logo
    ? put("logo", {
        x: 72,
        y: 64,
        width: Math.round((80 * logo.width) / logo.height),
        height: 80,
      })
    : put("icon", { x: 72, y: 72, width: 64, height: 64 });
  const name = logo || !fitted ? "" : write(148, 124, 58, settings.product);
  const frame = `x="${place(612, 537)}" y="136" width="537" height="358"`;
  const picture = image.picture
    ? `${put(image.picture, { x: 612, y: 136, width: 537, height: 358 })}<rect ${frame} fill="none" stroke="${ink}" stroke-width="6" stroke-linejoin="round"/>`
    : "";
  const background =
    isToLeft && !ownPictures.has(image.drawing)
      ? `<g transform="translate(1200 0) scale(-1 1)">${draw(image.drawing)}</g>`
      : draw(image.drawing);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 630">${background}${picture}${mark}<g fill="${ink}">${title}<g fill="${primary}">${name}</g></g></svg>`;
}

/**
 * Fits the title into lines of similar length, in the largest size possible. Returns undefined if
 * the title doesn't fit, such as a long title without spaces.
 */
function fitTitle({
  title,
  lines: given,
  picture,
  pen,
}: ShareImage): { lines: string[]; size: number } | undefined {
  // Title width in pixels. Without a post's picture, there is less space because of the vehicle.
  const titleWidth = picture ? 500 : 405;
  const words = title.split(" ");
  for (const size of [84, 72, 64, 56, 48]) {
    if (given?.every((line) => pen.measure(line, size) <= titleWidth)) {
      return { lines: given, size };
    }
  }
  for (const size of [84, 72, 64, 56, 48]) {
    const measure = remembered((line) => pen.measure(line, size));
    for (let count = 1; count * size * (pen.isTall ? 1.25 : 1) <= 330; count++) {
      const lines = breakEvenly(words, count, measure);
      if (lines?.every((line) => measure(line) <= titleWidth)) return { lines, size };
    }
  }
  return undefined;
}

/**
 * Breaks words into `count` lines of similar length. Returns undefined if there are fewer words
 * than lines.
 */
export function breakEvenly(
  words: string[],
  count: number,
  measure: (line: string) => number,
): string[] | undefined {
  if (count > words.length) return undefined;
  if (count === 1) return [words.join(" ")];
  // The sum of squares is smallest for lines of equal length.
  const unevenness = (lines: string[]) => lines.reduce((sum, line) => sum + measure(line) ** 2, 0);
  const ways = words.slice(0, -1).flatMap((_, index) => {
    const rest = breakEvenly(words.slice(index + 1), count - 1, measure);
    return rest ? [[words.slice(0, index + 1).join(" "), ...rest]] : [];
  });
  return ways.toSorted((a, b) => unevenness(a) - unevenness(b))[0];
}
