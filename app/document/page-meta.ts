import { shareImages } from "virtual:pictures";
import type { MetaDescriptor } from "react-router";
import { paths } from "../../server/platform/http/paths.ts";
import { alternatesOf, languages, type PageWords } from "../words.ts";

type PageDescription = {
  title: string;
  description: string;
  /** Path, including the query parameters of the canonical URL. */
  path: string;
  /**
   * URL for sharing what the page shows now, such as a trip's fare. `undefined` if the canonical
   * URL is also the URL for sharing.
   */
  shared?: string | undefined;
  /** The site's origin, from the root route's loader data. */
  publicUrl: string;
  image?: string | undefined;
  article?: { published: string; author: string; section?: string | undefined };
  /** Breadcrumbs from the home page to this page, for search engines. */
  trail?: { name: string; path: string }[];
  /** Structured data, one object per JSON-LD block. */
  jsonLd?: object[];
  noIndex?: boolean;
};

/** Appends the app's name to a page's title, unless the title already contains it. */
export function documentTitle({ settings }: PageWords, title: string): string {
  const { product } = settings;
  return title.includes(product) ? title : `${title} · ${product}`;
}

/**
 * Returns the URL path of a share image in the page's language. Falls back to the default image.
 */
export function shareImageOf({ settings, translated }: PageWords, name = "default"): string {
  const find = (image: string) => shareImages[translated ? `${settings.language}-${image}` : image];
  return find(name) ?? find("default") ?? shareImages.default ?? "";
}

export function pageMeta(words: PageWords, page: PageDescription): MetaDescriptor[] {
  const { product, language } = words.settings;
  const url = page.publicUrl + words.to(page.path);
  const image = page.publicUrl + shareImageOf(words, page.image);
  return [
    { title: documentTitle(words, page.title) },
    { name: "description", content: page.description },
    ...(page.noIndex ? [{ name: "robots", content: "noindex" }] : []),
    { tagName: "link", rel: "canonical", href: url },
    ...(page.noIndex ? [] : alternatives(page)),
    { property: "og:type", content: page.article ? "article" : "website" },
    { property: "og:site_name", content: product },
    { property: "og:locale", content: openGraphLocale(language) },
    ...(page.noIndex ? [] : otherLocales(language)),
    { property: "og:title", content: page.title },
    { property: "og:description", content: page.description },
    { property: "og:url", content: page.publicUrl + words.to(page.shared ?? page.path) },
    { property: "og:image", content: image },
    { property: "og:image:width", content: "1200" },
    { property: "og:image:height", content: "630" },
    { property: "og:image:alt", content: page.title },
    ...(page.article
      ? [
          { property: "article:published_time", content: page.article.published },
          ...(page.article.section
            ? [{ property: "article:section", content: page.article.section }]
            : []),
          { name: "author", content: page.article.author },
        ]
      : []),
    { name: "twitter:card", content: "summary_large_image" },
    { name: "twitter:image", content: image },
    ...[...(page.jsonLd ?? []), ...breadcrumbs(words, page)].map((block) => ({
      "script:ld+json": { "@context": "https://schema.org", ...block },
    })),
  ];
}

/**
 * Returns `hreflang` links to the page in every language, or none on a campus with one language.
 */
function alternatives({ publicUrl, path }: PageDescription): MetaDescriptor[] {
  if (languages.length === 1) return [];
  return alternatesOf(path).map(({ language, address }) => ({
    tagName: "link",
    rel: "alternate",
    hrefLang: language,
    href: publicUrl + address,
  }));
}

/** Converts a language tag to an Open Graph locale. Open Graph requires a region, as in `bn_BD`. */
function openGraphLocale(tag: string): string {
  const { language, region } = new Intl.Locale(tag).maximize();
  return region ? `${language}_${region}` : language;
}

function otherLocales(current: string): MetaDescriptor[] {
  return languages
    .filter(({ settings }) => settings.language !== current)
    .map(({ settings }) => ({
      property: "og:locale:alternate",
      content: openGraphLocale(settings.language),
    }));
}

function breadcrumbs(words: PageWords, { publicUrl, trail }: PageDescription): object[] {
  if (!trail) return [];
  const steps = [{ name: words.interface.nav.home, path: paths.landing }, ...trail];
  const itemListElement = steps.map(({ name, path }, index) => ({
    "@type": "ListItem",
    position: index + 1,
    name,
    item: publicUrl + words.to(path),
  }));
  return [{ "@type": "BreadcrumbList", itemListElement }];
}

/** Returns structured data about the organization that runs the site. */
export function organization({ settings, to }: PageWords, publicUrl: string): object {
  const { developer, email, social } = settings;
  return {
    "@type": "Organization",
    "@id": `${publicUrl}/#organization`,
    name: developer,
    url: publicUrl + to(paths.landing),
    email,
    sameAs: social.map(({ url }) => url).filter(Boolean),
  };
}
