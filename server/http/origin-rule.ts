/**
 * Whether a form was sent from our own page. Browsers say so in `Sec-Fetch-Site`; older ones send `Origin`. A program
 * that sends neither carries nobody's login, because there is none, and passes.
 */
export function isSameOrigin(headers: Headers, publicUrl: string): boolean {
  const site = headers.get("sec-fetch-site");
  if (site) return site === "same-origin" || site === "none";
  const origin = headers.get("origin");
  if (!origin) return true;
  if (origin === publicUrl) return true;
  return URL.canParse(origin) && new URL(origin).host === headers.get("host");
}

/** The same where a cookie signs in whoever asks: a form that does not say where it stood is not ours. */
export function isFromOurPage(headers: Headers, publicUrl: string): boolean {
  return (
    (headers.has("sec-fetch-site") || headers.has("origin")) && isSameOrigin(headers, publicUrl)
  );
}
