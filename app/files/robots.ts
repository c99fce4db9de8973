import { paths } from "../../server/http/paths.ts";
import { getServices } from "../services-context.ts";
import type { Route } from "./+types/robots";

export function loader({ context }: Route.LoaderArgs) {
  const { publicUrl } = getServices(context);
  return new Response(`User-agent: *\nAllow: /\n\nSitemap: ${publicUrl}${paths.sitemap}\n`, {
    headers: { "Content-Type": "text/plain; charset=utf-8" },
  });
}
