declare module "virtual:campus" {
  /** The checked campus folder without its posts, in the campus's first language. */
  export const campus: import("../campus-reader/campus.ts").Campus;
  /** The campus in its other languages. */
  export const translations: readonly import("../campus-reader/campus.ts").Campus[];
  /** The colours of both schemes, by name. */
  export const theme: import("./theme.ts").Theme;
}

declare module "virtual:campus/theme.css";

declare module "virtual:posts" {
  /** Listings of every post by language, newest first, unlisted posts included. */
  export const postsIn: Record<string, readonly import("../campus-reader/posts.ts").PostListing[]>;
  /**
   * Returns the text of a listed post as HTML.
   * @param origin prefix of its links to this site, for readers elsewhere
   */
  export function readPostText(id: number, language: string, origin?: string): string;
}

declare module "virtual:pictures" {
  /**
   * Every drawing by name: its address by day, the one by night if different, and its size in CSS
   * pixels.
   */
  export const pictures: import("./pictures-plugin.ts").Files["pictures"];
  /**
   * Share images (PNG, 1200x630) by name: `default`, `hood-…` and `post-ID`, with the language in
   * front for translations.
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
  /** Cuts a font down to the characters of `text`. */
  export default function subsetFont(
    font: Buffer,
    text: string | undefined,
    options: {
      targetFormat: "woff2" | "truetype";
      /** Keeps every glyph of the font, whatever the text. */
      keepAllGlyphs?: boolean;
      variationAxes?: Record<string, number | { min: number; max: number }>;
      /** Leaves out glyphs that only a substitution would reach, such as swashes. */
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
  /** The minified text of the file. */
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
