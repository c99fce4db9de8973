declare module "virtual:campus" {
  /** The validated campus in its default language, without its posts. */
  export const campus: import("../campus-reader/campus.ts").Campus;
  /** The campus in its other languages. */
  export const translations: readonly import("../campus-reader/campus.ts").Campus[];
  export const theme: import("./theme.ts").Theme;
}

declare module "virtual:campus/theme.css";

declare module "virtual:campus/heading-font" {
  /** URL of the font that headings use first. */
  const address: string;
  export default address;
}

declare module "virtual:posts" {
  /**
   * Listings of all posts, keyed by language. Each list is sorted newest first and includes
   * unlisted posts.
   */
  export const postsIn: Record<string, readonly import("../campus-reader/posts.ts").PostListing[]>;
  /**
   * Returns the HTML of a post.
   * @param origin prefix for links to this site, for readers on other sites
   */
  export function readPostText(id: number, language: string, origin?: string): string;
}

declare module "virtual:pictures" {
  /**
   * Pictures, keyed by name: the URL for light mode, the URL for dark mode if it differs, and the
   * size in CSS pixels.
   */
  export const pictures: import("./pictures-plugin.ts").Files["pictures"];
  /**
   * Share images (PNG, 1200x630), keyed by name: `default`, `trip-…` and `post-ID`, prefixed with
   * the language for translations.
   */
  export const shareImages: Record<string, string>;
}

declare module "virtual:react-router/server-build" {
  const build: import("react-router").ServerBuild;
  export = build;
}

declare module "fontverter" {
  export function convert(font: Buffer, format: "truetype" | "woff" | "woff2"): Promise<Buffer>;
}

declare module "*?island" {
  const url: string;
  export default url;
}

declare module "*.js?script" {
  /** The file's minified code. */
  const text: string;
  export default text;
}

declare module "virtual:campus/motifs" {
  export const motifs: import("../campus-reader/choices.ts").Motifs;
}
