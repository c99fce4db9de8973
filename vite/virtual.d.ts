declare module "virtual:campus" {
  /** The validated campus without its posts, in its first language. */
  export const campus: import("../campus-reader/campus.ts").Campus;
  /** The campus in its other languages. */
  export const translations: readonly import("../campus-reader/campus.ts").Campus[];
  /** The colours of both schemes, by name. */
  export const theme: import("./theme.ts").Theme;
}

declare module "virtual:campus/theme.css";

declare module "virtual:posts" {
  /** Listings of all posts by language, newest first, including unlisted posts. */
  export const postsIn: Record<string, readonly import("../campus-reader/posts.ts").PostListing[]>;
  /**
   * Returns the HTML of a listed post.
   * @param origin prefix for links to this site, for readers on other sites
   */
  export function readPostText(id: number, language: string, origin?: string): string;
}

declare module "virtual:pictures" {
  /**
   * Drawings by name: the address by day, the one by night if different, and the size in CSS
   * pixels.
   */
  export const pictures: import("./pictures-plugin.ts").Files["pictures"];
  /**
   * Share images (PNG, 1200x630) by name: `default`, `hood-…` and `post-ID`, prefixed with the
   * language for translations.
   */
  export const shareImages: Record<string, string>;
}

declare module "virtual:react-router/server-build" {
  const build: import("react-router").ServerBuild;
  export = build;
}

declare module "virtual:letters" {
  /** Faces by language, for letters that many machines can't draw: vite/letters-plugin.ts. */
  export const letters: Readonly<Record<string, readonly { url: string; range: string }[]>>;
}

declare module "subset-font" {
  /** Subsets a font to the characters of `text`. */
  export default function subsetFont(
    font: Buffer,
    text: string | undefined,
    options: {
      targetFormat: "woff2" | "truetype";
      /** Keeps every glyph of the font, regardless of the text. */
      keepAllGlyphs?: boolean;
      variationAxes?: Record<string, number | { min: number; max: number }>;
      /** Leaves out glyphs that only substitutions reach, such as swashes. */
      noLayoutClosure?: boolean;
    },
  ): Promise<Buffer>;
}

declare module "*?island" {
  /** Address of the script. */
  const url: string;
  export default url;
}

declare module "*.js?script" {
  /** The file's minified text. */
  const text: string;
  export default text;
}

declare module "~display-face.woff2?url" {
  /** Address of the display face, subset to this campus's characters. */
  const url: string;
  export default url;
}

declare module "virtual:campus/motifs" {
  export const motifs: import("../campus-reader/choices.ts").Motifs;
}
