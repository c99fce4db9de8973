import { pictures } from "virtual:pictures";
import { paths } from "../../server/http/paths.ts";
import type { PageHandle } from "../document/page-handle.ts";
import { wordsAt } from "../words.ts";
import type { Route } from "./+types/manifest";

export const handle: PageHandle = { keptAs: () => paths.manifest };

/** The web manifest: name, colours and icons for a home screen. */
export function loader({ request }: Route.LoaderArgs) {
  const { settings, to } = wordsAt(new URL(request.url));
  const { product, language, tagline } = settings;
  const icon = (name: string, size: number, purpose: string) => ({
    src: pictures[name]?.url,
    sizes: `${size}x${size}`,
    type: "image/png",
    purpose,
  });
  const manifest = {
    name: product,
    short_name: product,
    description: tagline,
    lang: language,
    start_url: to(paths.landing),
    display: "browser",
    icons: [icon("icon-192", 192, "any"), icon("icon-512", 512, "maskable")],
  };
  return new Response(JSON.stringify(manifest), {
    headers: { "Content-Type": "application/manifest+json; charset=utf-8" },
  });
}
