import { campus } from "virtual:campus";
import { pictures } from "virtual:pictures";
import { addressCommand, checkingCommands } from "../../server/deletion-requests/ledger/proof.ts";
import { toPem } from "../../server/platform/crypto/signing.ts";
import { paths } from "../../server/platform/http/paths.ts";
import type { SiteServices } from "../../server/services.ts";
import type { PageHandle } from "../document/page-handle.ts";
import { servicesContext } from "../services-context.ts";
import { type PageWords, pathAt, wordsAt } from "../words.ts";
import type { Route } from "./+types/files";
import { writeFeed } from "./feed.ts";
import { writeForMachines } from "./llms.ts";
import { writeSitemap } from "./sitemap.ts";

/** Files for programs such as crawlers and feed readers, keyed by URL path. */
const files: Record<
  string,
  { type: string; write: (services: SiteServices, words: PageWords) => string | Promise<string> }
> = {
  [paths.feed]: { type: "application/atom+xml", write: writeFeed },
  [paths.sitemap]: { type: "application/xml", write: writeSitemap },
  [paths.manifest]: { type: "application/manifest+json", write: writeManifest },
  [paths.llms]: { type: "text/plain", write: writeForMachines },
  [paths.securityTxt]: { type: "text/plain", write: writeSecurityContact },
  [paths.receiptKeys]: { type: "text/plain", write: writeReceiptKeys },
  [paths.robots]: {
    type: "text/plain",
    write: ({ publicUrl }) => `User-agent: *\nAllow: /\n\nSitemap: ${publicUrl}${paths.sitemap}\n`,
  },
};

/**
 * Returns the decoded path: a path's percent-encoded spellings share one file and one cache key.
 */
const readPath = (url: URL) => decodeURIComponent(pathAt(url));

export const handle: PageHandle = { keptAs: readPath };

export async function loader({ context, request }: Route.LoaderArgs) {
  const url = new URL(request.url);
  const file = files[readPath(url)];
  if (!file) throw new Error(`There is no file at ${url.pathname}`);
  const text = await file.write(context.get(servicesContext), wordsAt(url));
  return new Response(text, { headers: { "Content-Type": `${file.type}; charset=utf-8` } });
}

function writeManifest(_: object, { settings, to }: PageWords): string {
  const { product, language, tagline } = settings;
  const icon = (name: string, size: number, purpose: string) => ({
    src: pictures[name]?.url,
    sizes: `${size}x${size}`,
    type: "image/png",
    purpose,
  });
  return JSON.stringify({
    name: product,
    short_name: product,
    description: tagline,
    lang: language,
    start_url: to(paths.landing),
    display: "browser",
    icons: [icon("icon-192", 192, "any"), icon("icon-512", 512, "maskable")],
  });
}

function writeSecurityContact({ publicUrl }: { publicUrl: string }): string {
  const { security, language } = campus.settings;
  const lines = [
    `Contact: ${security.contact}`,
    `Expires: ${security.expires}T23:59:59Z`,
    `Preferred-Languages: ${language}`,
    `Canonical: ${publicUrl}${paths.securityTxt}`,
    ...(security.policy === "" ? [] : [`Policy: ${security.policy}`]),
  ];
  return `${lines.join("\n")}\n`;
}

/**
 * Returns instructions for verifying a deletion receipt, with all current and former signing keys.
 */
async function writeReceiptKeys(services: SiteServices, { deletion }: PageWords): Promise<string> {
  const words = deletion.visit.receipt.check;
  const listed = (await services.receiptKeys()).map(
    ({ version, publicKey }) =>
      `${services.publicUrl}${paths.receiptKey(version)}\n${toPem(publicKey).trimEnd()}`,
  );
  const parts = [
    words.title,
    words.begin,
    checkingCommands.map((command) => `  ${command}`).join("\n"),
    words.result.join("\n"),
    words.person,
    `  ${addressCommand}`,
    words.keys,
    ...listed,
  ];
  return `${parts.join("\n\n")}\n`;
}
