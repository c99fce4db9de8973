import { paths } from "../../server/http/paths.ts";
import type { PageHandle } from "../document/page-handle.ts";
import { getServices } from "../services-context.ts";
import type { Route } from "./+types/robots";

export const handle: PageHandle = { keptAs: () => paths.robots };

export function loader({ context }: Route.LoaderArgs) {
  const { publicUrl } = getServices(context);
  return new Response(`User-agent: *\nAllow: /\n\nSitemap: ${publicUrl}${paths.sitemap}\n`, {
    headers: { "Content-Type": "text/plain; charset=utf-8" },
  });
}
