import { hash } from "node:crypto";
import { join } from "node:path";
import { Resvg } from "@resvg/resvg-js";
import { renderToStaticMarkup } from "react-dom/server";
import { type Plugin, runnerImport } from "vite";
import { currencyMark, currencyStroke } from "../app/art/currency-signs.ts";
import type { Picture } from "../app/art/picture.tsx";
import type { WithPosts } from "../campus-reader/campus.ts";
import { CampusError, remembered } from "../campus-reader/data-files.ts";
import { createPen, cutShareFace, type LinePen } from "./display-face.ts";
import { loadedCampus, root } from "./loaded-campus.ts";
import { readTheme, type Theme } from "./theme.ts";

const id = "virtual:pictures";

/**
 * Number of newest posts whose share image shows their title. Each image takes build time and disk
 * space.
 */
const ownShareImages = 100;

export type Files = {
  pictures: Record<string, { url: string; night?: string; width: number; height: number }>;
  shareImages: Record<string, string>;
  /** Content by address below the site's root, generated on request. */
  content: Map<string, () => string | Uint8Array>;
};

/**
 * Turns the drawings in `app/art/` into static files with both colour schemes inside, and into
 * share images and icons. Addresses contain a hash, so that browsers cache the files forever. Each
 * PNG has its own hash; all drawings share one, because a page refers to dozens of them and hashes
 * don't compress.
 */
export function picturesPlugin(campusDir: string): Plugin {
  let files: Promise<Files> | undefined;
  const getFiles = () => {
    // Drops a failure, so that the next request after a fix tries again.
    files ??= drawFiles(campusDir).catch((error: unknown) => {
      files = undefined;
      throw error;
    });
    return files;
  };
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
        this.emitFile({ type: "asset", fileName: path, source: make() });
      }
      const icon = content.get(pictures["icon-32"]?.url.slice(1) ?? "")?.();
      if (Buffer.isBuffer(icon)) {
        this.emitFile({ type: "asset", fileName: "favicon.ico", source: icoFile(icon, 32) });
      }
    },
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const path = (request.url ?? "").slice(1);
        if (!path.startsWith("art/")) return next();
        // Connect ignores a middleware's promise, so an unhandled rejection would end the process.
        getFiles()
          .then(({ content }) => {
            const make = content.get(path);
            if (!make) return next();
            response.setHeader(
              "Content-Type",
              path.endsWith(".svg") ? "image/svg+xml" : "image/png",
            );
            response.end(make());
          })
          .catch(next);
      });
    },
    hotUpdate({ file }) {
      if (/[\\/]app[\\/]art[\\/]/.test(file) || file.startsWith(campusDir)) files = undefined;
    },
  };
}

async function drawFiles(campusDir: string): Promise<Files> {
  const art = await readArt<typeof import("../app/art/pictures.tsx")>("pictures.tsx");
  const theme = readTheme(join(campusDir, "theme.css"));
  const campus = loadedCampus(campusDir);
  const forPosts = art.postPictures.map(({ name }) => name);
  requirePictures(campus, forPosts);
  const files: Files = { pictures: {}, shareImages: {}, content: new Map() };
  const drawn = addDrawings(files, art, campus, theme);
  const byDay = (name: string) => stampColours(drawn.get(name) ?? "", theme.light);
  for (const [name, drawing, width] of [
    ["icon-32", "icon", 32],
    ["icon-192", "icon-maskable", 192],
    ["icon-512", "icon-maskable", 512],
    ["touch-icon", "icon-maskable", 180],
  ] as const) {
    const url = addPng(files, name, byDay(drawing), width);
    files.pictures[name] = { url, width, height: width };
  }

  const face = await cutShareFace(campus);
  const painted = campus.landing.paint
    ? [...drawn.keys()].filter((name) => name.startsWith("share-hood-"))
    : [];
  for (const edition of [campus, ...campus.translations]) {
    const prefix = edition === campus ? "" : `${edition.settings.language}-`;
    for (const image of await shareImagesOf(edition, painted, face)) {
      const name = `${prefix}${image.name}`;
      const svg = shareSvg(image, byDay, campus, theme);
      files.shareImages[name] = addPng(files, `share-${name}`, svg, 1200);
    }
  }
  return files;
}

/** Loads a module of drawings. */
export async function readArt<Art>(file: string): Promise<Art> {
  const { module } = await runnerImport<Art>(`/app/art/${file}`, {
    root,
    configFile: false,
    logLevel: "error",
    oxc: { jsx: { runtime: "automatic", development: false } },
  });
  return module;
}

/**
 * Adds the drawings that the campus shows. Returns the markup of all drawings by name, including
 * those for share images.
 */
function addDrawings(
  { content, pictures }: Files,
  { picturesFor, comingSoon }: typeof import("../app/art/pictures.tsx"),
  { settings, landing, interface: labels, posts }: ReturnType<typeof loadedCampus>,
  theme: Theme,
): Map<string, string> {
  const wanted = picturesFor({
    ...settings,
    services: landing.services.items,
    posts: [...posts, ...Object.values(labels.blog.pictures)].map(({ picture }) => picture),
    stores: settings.stores.flatMap(({ url }) => url || []),
  });
  const money = currencyStroke(settings.currency.sign);
  const drawn = new Map<string, string>();
  const files: { picture: Picture; file: string }[] = [];
  for (const picture of wanted) {
    const ready = renderToStaticMarkup(picture.draw()).replaceAll(currencyMark, money);
    const svg = picture.coming ? comingSoon(ready) : ready;
    drawn.set(picture.name, svg);
    if (picture.name.startsWith("share")) continue;
    const file =
      picture.scheme === "day" ? stampColours(svg, theme.light) : stampSchemes(svg, theme);
    files.push({ picture, file });
  }
  const version = shortHash(files.map(({ file }) => file).join());
  for (const { picture, file } of files) {
    const url = `art/${version}/${picture.name}.svg`;
    content.set(url, () => file);
    pictures[picture.name] = {
      url: `/${url}`,
      ...(picture.scheme === "day" ? {} : { night: `/${url}#night` }),
      width: picture.width,
      height: picture.height,
    };
  }
  return drawn;
}

/**
 * Lists the share images of one language: the default, the painted hoods and the newest posts.
 * @param painted the names of the drawings of painted hoods
 */
async function shareImagesOf(
  { landing, posts }: WithPosts,
  painted: readonly string[],
  face: Buffer,
): Promise<ShareImage[]> {
  const { headline } = landing.hero;
  const paintedTitle = landing.paint?.shareTitle ?? headline;
  const newest = posts.slice(0, ownShareImages);
  const titles = [headline, paintedTitle, ...newest.map(({ title }) => title)];
  const pen = await createPen(face, titles);
  return [
    { name: "default", drawing: "share", title: headline, pen },
    ...painted.map((drawing) => ({
      name: drawing.slice("share-".length),
      drawing,
      title: paintedTitle,
      pen,
    })),
    ...newest.map(({ id, title, picture }) => ({
      name: `post-${id}`,
      drawing: "share-post",
      title,
      picture: `post-${picture}`,
      pen,
    })),
  ];
}

/** Registers a PNG, drawn on request, and returns its address. */
function addPng({ content }: Files, name: string, svg: string, width: number): string {
  const url = `art/${name}.${shortHash(svg)}.png`;
  content.set(url, () =>
    new Resvg(svg, {
      fitTo: { mode: "width", value: width },
      font: { loadSystemFonts: false },
    })
      .render()
      .asPng(),
  );
  return `/${url}`;
}

/**
 * Fails the build if a post or category refers to an unknown drawing.
 * @param drawn the names of the drawings for posts
 */
export function requirePictures(campus: WithPosts, drawn: readonly string[]): void {
  const labels = `content/${campus.settings.language}/interface.yaml`;
  const named = [
    ...Object.entries(campus.interface.blog.pictures).map(([category, { picture }]) => ({
      place: `${labels}: blog.pictures.${category}.picture`,
      picture,
    })),
    ...campus.posts.map(({ file, picture }) => ({ place: `${file}: picture`, picture })),
  ];
  const choices = drawn.map((name) => name.replace(/^post-/, "")).join(", ");
  const mistakes = named
    .filter(({ picture }) => !drawn.includes(`post-${picture}`))
    .map(
      ({ place, picture }) =>
        `campus/${place}: there is no drawing named "${picture}"; choose one of ${choices}`,
    );
  if (mistakes.length > 0) throw new CampusError(mistakes.join("\n"));
}

/**
 * Builds an .ico file around one square PNG, for programs that request /favicon.ico without reading
 * the page.
 */
function icoFile(png: Buffer, size: number): Buffer {
  const header = Buffer.alloc(22);
  header.writeUInt16LE(1, 2); // type: icon
  header.writeUInt16LE(1, 4); // number of pictures
  header.writeUInt8(size, 6);
  header.writeUInt8(size, 7);
  header.writeUInt16LE(1, 10); // colour planes
  header.writeUInt16LE(32, 12); // bits a pixel
  header.writeUInt32LE(png.length, 14);
  header.writeUInt32LE(header.length, 18);
  return Buffer.concat([header, png]);
}

const shortHash = (content: string) => hash("sha256", content).slice(0, 6);

/** Replaces every `var(--art-…)` with its colour, for renderers without custom properties. */
export function stampColours(svg: string, colours: Record<string, string>): string {
  return svg.replace(/var\(--([\w-]+)\)/g, (_, name: string) => {
    const colour = colours[name];
    if (!colour) throw new Error(`A drawing uses --${name}, which campus/theme.css does not have`);
    return colour;
  });
}

/**
 * Adds the colours of both schemes to a drawing's file. The night colours apply if its address ends
 * in `#night`, and only then elements of class `by-night` show. The address decides because WebKit
 * up to 2.50 ignores `prefers-color-scheme` in an `<img>`.
 */
export function stampSchemes(svg: string, theme: Theme): string {
  const used = [...new Set([...svg.matchAll(/var\(--([\w-]+)\)/g)].map((match) => match[1] ?? ""))];
  stampColours(svg, theme.light);
  const list = (colours: Record<string, string>, names: string[]) =>
    names.map((name) => `--${name}:${colours[name]}`).join(";");
  const changed = used.filter((name) => theme.light[name] !== theme.dark[name]);
  const byNight = svg.includes('class="by-night"')
    ? ".by-night{display:none}svg:target .by-night{display:inline}"
    : "";
  const style = `<style>svg{${list(theme.light, used)}}svg:target{${list(theme.dark, changed)}}${byNight}</style>`;
  return svg.replace(/^<svg/, '<svg id="night"').replace(/^(<svg[^>]*>)/, `$1${style}`);
}

type ShareImage = {
  name: string;
  /** Name of the background drawing, 1200 by 630. */
  drawing: string;
  title: string;
  /** Name of a drawing of 480 by 320, shown on the right. */
  picture?: string;
  pen: LinePen;
};

/**
 * Draws a share image: the background, the site's icon and name, the title, and a post's picture in
 * a frame.
 * @param draw returns the markup of a drawing by its name
 */
function shareSvg(
  image: ShareImage,
  draw: (name: string) => string,
  campus: WithPosts,
  theme: Theme,
): string {
  const { ink, primary } = theme.light;
  const { lines, size } = fitTitle(image);
  const { pen } = image;
  const lineHeight = size * (pen.isTall ? 1.3 : 1.08);
  const top = 316 - ((lines.length - 1) * lineHeight) / 2 + size * 0.35;
  const title = lines
    .map((line, index) => pen.draw(72, Math.round(top + index * lineHeight), size, line))
    .join("");
  const mark = draw("icon").replace(/^<svg/, '<svg x="72" y="72" width="64" height="64"');
  const picture = image.picture
    ? `${draw(image.picture).replace(/^<svg/, '<svg x="612" y="136" width="537" height="358"')}<rect x="612" y="136" width="537" height="358" fill="none" stroke="${ink}" stroke-width="6" stroke-linejoin="round"/>`
    : "";
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 630">${draw(image.drawing)}${picture}${mark}<g fill="${ink}">${title}<g fill="${primary}">${pen.draw(148, 124, 58, campus.settings.product)}</g></g></svg>`;
}

/** Fits the title into lines of even length, in the largest size that needs at most five lines. */
function fitTitle({ title, picture, pen }: ShareImage): { lines: string[]; size: number } {
  // In pixels. A picture starts farther right than a vehicle.
  const titleWidth = picture ? 500 : 440;
  const words = title.split(" ");
  for (const size of [84, 72, 64, 56, 48]) {
    const measure = remembered((line) => pen.measure(line, size));
    for (let count = 1; count * size * (pen.isTall ? 1.25 : 1) <= 330; count++) {
      const lines = breakEvenly(words, count, measure);
      if (lines?.every((line) => measure(line) <= titleWidth)) return { lines, size };
    }
  }
  throw new Error(`The title "${title}" is too long for its share image`);
}

/** Breaks words into a number of lines of even length; undefined if there are too few words. */
export function breakEvenly(
  words: string[],
  count: number,
  measure: (line: string) => number,
): string[] | undefined {
  if (count > words.length) return undefined;
  if (count === 1) return [words.join(" ")];
  // The sum of squared lengths is least for even lines.
  const unevenness = (lines: string[]) => lines.reduce((sum, line) => sum + measure(line) ** 2, 0);
  const ways = words.slice(0, -1).flatMap((_, index) => {
    const rest = breakEvenly(words.slice(index + 1), count - 1, measure);
    return rest ? [[words.slice(0, index + 1).join(" "), ...rest]] : [];
  });
  return ways.toSorted((one, other) => unevenness(one) - unevenness(other))[0];
}
