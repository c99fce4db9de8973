import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";
import type { Campus } from "../campus-reader/campus.ts";
import { CampusError } from "../campus-reader/mistakes.ts";
import { findHeadingFont, headingStyles } from "./heading-font.ts";
import { loadedCampus, root } from "./loaded-campus.ts";
import { type Files, filesOf } from "./pictures-plugin.ts";
import { findUnwritableMails } from "./sample-mails.ts";
import { readTheme } from "./theme.ts";

const campusId = "virtual:campus";
const postsId = "virtual:posts";
const themeId = "virtual:campus/theme.css";
const fontId = "virtual:campus/heading-font";
const motifsId = "virtual:campus/motifs";

/**
 * Provides the validated campus to the pages: its text and names as `virtual:campus`, its posts as
 * `virtual:posts`, its colors as `virtual:campus/theme.css`, the URL of its heading font as
 * `virtual:campus/heading-font`, and the motifs of its drawings as `virtual:campus/motifs`. A mistake
 * in the folder fails the build with a file, a field and a reason.
 *
 * Posts aren't part of the code, because there can be thousands. The build writes their listings to
 * `posts/<language>/index.json` next to the server bundle, and each post's text to a file that is
 * read on request.
 * @param folder absolute path of the campus folder
 */
export function campusPlugin(folder: string): Plugin {
  return {
    name: "campus",
    resolveId(source) {
      if (source === themeId) return join(folder, "theme.css");
      return [campusId, postsId, motifsId, fontId].includes(source) ? `\0${source}` : undefined;
    },
    async load(source) {
      if (source === join(folder, "theme.css")) {
        const headingFont = findHeadingFont(folder, loadedCampus(folder).settings);
        return headingFont ? readFileSync(source, "utf8") + headingStyles(headingFont) : undefined;
      }
      if (![campusId, postsId, motifsId, fontId].some((id) => source === `\0${id}`)) return;
      const isClient = this.environment.name === "client";
      if (source === `\0${fontId}`) {
        const headingFont = findHeadingFont(folder, loadedCampus(folder).settings);
        return `export { default } from ${JSON.stringify(`${headingFont ?? displayFont}?url`)};`;
      }
      if (source === `\0${motifsId}`) {
        return `export const motifs = ${JSON.stringify(loadedCampus(folder).settings.motifs)};`;
      }
      if (source === `\0${campusId}`) {
        return campusModule(folder, { isClient });
      }
      // Empty in the client bundle, because browser code uses no posts.
      if (isClient) return 'export const postsIn = {};\nexport const readPostText = () => "";';
      return postsModule(folder, { isBuild: this.environment.mode === "build" });
    },
    transform(css, id) {
      if (this.environment.mode !== "build" || id !== join(folder, "theme.css")) return;
      return { code: withoutUnused(css), map: null };
    },
    async generateBundle() {
      if (this.environment.name !== "ssr") return;
      for (const [name, source] of await postFiles(folder)) {
        this.emitFile({ type: "asset", fileName: `posts/${name}`, source });
      }
    },
  };
}

/** Font for headings on a campus without its own heading font. */
const displayFont =
  "@fontsource/bricolage-grotesque/files/bricolage-grotesque-latin-800-normal.woff2";

/**
 * Source files with drawings that are inlined in pages. All other drawings are separate files that
 * include their colors.
 */
const drawnInPages = ["app/components/route-bike.tsx"];

/** Removes theme colors that no stylesheet or inlined drawing uses. */
function withoutUnused(theme: string): string {
  const sources = [...globSync("app/**/*.css", { cwd: root }), ...drawnInPages];
  const asking = sources.map((path) => readFileSync(join(root, path), "utf8")).join("");
  return theme.replace(/(--[\w-]+)(?=:)[^;}]*;?/g, (declared, name: string) => {
    return new RegExp(`var\\(${name}[,)]`).test(asking) ? declared : "";
  });
}

/**
 * Returns the module with the campus's text and names. It is empty in the client bundle, because
 * browser code doesn't use them.
 */
async function campusModule(folder: string, { isClient }: { isClient: boolean }): Promise<string> {
  if (isClient) return "export const campus = {};\nexport const translations = [];";
  const { posts: _, translations, ...campus } = loadedCampus(folder);
  const { photos } = await filesOf(folder);
  const ready = <Edition extends Campus>(edition: Edition): Edition => ({
    ...edition,
    pages: edition.pages.map((page) => ({ ...page, html: withPhotos(page.html, photos) })),
  });
  const theme = readTheme(join(folder, "theme.css"));
  const unwritable = [campus, ...translations].flatMap((edition) =>
    findUnwritableMails(edition, theme),
  );
  if (unwritable.length > 0) throw new CampusError(unwritable);
  const readyTranslations = translations.map(({ posts: __, ...translation }) => ready(translation));
  return `export const campus = ${JSON.stringify(ready(campus))};\nexport const translations = ${JSON.stringify(readyTranslations)};\nexport const theme = ${JSON.stringify(theme)};`;
}

/** Matches the empty string before a link's URL if the URL is on this site. */
const ownLinks = /(?<=(?:href|src)=")(?=\/)/;

/**
 * Lists the posts' files as JSON: the listings in each language, and the text of each post, split
 * at links to this site.
 */
async function postFiles(folder: string): Promise<[name: string, text: string][]> {
  const campus = loadedCampus(folder);
  const { photos } = await filesOf(folder);
  return [campus, ...campus.translations].flatMap(({ settings: { language }, posts }) => {
    const listings = posts.map(({ html: _html, file: _file, ...listing }) => listing);
    const texts = posts.map(
      ({ id, html }) => [`${id}`, withPhotos(html, photos).split(ownLinks)] as const,
    );
    return [["index", listings] as const, ...texts].map(([name, data]): [string, string] => [
      `${language}/${name}.json`,
      JSON.stringify(data),
    ]);
  });
}

/**
 * Adds a URL and a size to each photo in a text. The size prevents a layout shift when the photo
 * loads.
 */
function withPhotos(html: string, photos: Files["photos"]): string {
  return html.replace(/<img src="pictures\/([^"]+)"/g, (image, file: string) => {
    const photo = photos[file];
    if (!photo) return image;
    const { url, width, height } = photo;
    return `<img src="${url}" width="${width}" height="${height}" loading="lazy"`;
  });
}

/**
 * Returns the module that reads the posts' files from the bundle's folder. During development, the
 * module contains the files' content instead.
 */
async function postsModule(folder: string, { isBuild }: { isBuild: boolean }): Promise<string> {
  const campus = loadedCampus(folder);
  const languages = [campus, ...campus.translations].map(({ settings }) => settings.language);
  const read = isBuild
    ? 'const read = (name) => readFileSync(new URL("posts/" + name, import.meta.url), "utf8");'
    : `const texts = new Map(${JSON.stringify(await postFiles(folder))});
const read = (name) => texts.get(name);`;
  return `import { readFileSync } from "node:fs";
${read}
const readData = (language, name) => JSON.parse(read(language + "/" + name + ".json"));
export const postsIn = Object.fromEntries(${JSON.stringify(languages)}.map((language) => [language, readData(language, "index")]));
export const readPostText = (id, language, origin = "") => readData(language, id).join(origin);`;
}
