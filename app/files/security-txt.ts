import { campus } from "virtual:campus";
import { paths } from "../../server/http/paths.ts";
import type { PageHandle } from "../document/page-handle.ts";
import { getServices } from "../services-context.ts";
import type { Route } from "./+types/security-txt";

export const handle: PageHandle = { keptAs: () => paths.securityTxt };

/** Where to report a weakness of the site (RFC 9116), as the campus says. */
export function loader({ context }: Route.LoaderArgs) {
  const { publicUrl } = getServices(context);
  const { security, language } = campus.settings;
  const lines = [
    `Contact: ${security.contact}`,
    `Expires: ${security.expires}T23:59:59Z`,
    `Preferred-Languages: ${language}`,
    `Canonical: ${publicUrl}${paths.securityTxt}`,
    ...(security.policy === "" ? [] : [`Policy: ${security.policy}`]),
  ];
  return new Response(`${lines.join("\n")}\n`, {
    headers: { "Content-Type": "text/plain; charset=utf-8" },
  });
}
