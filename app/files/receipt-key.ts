import { data } from "react-router";
import { toPem } from "../../server/platform/crypto/signing.ts";
import { servicesContext } from "../services-context.ts";
import type { Route } from "./+types/receipt-key";

/** Returns one of the site's receipt keys, current or former, as a public key in PEM format. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const keys = await context.get(servicesContext).receiptKeys();
  const key = keys.find(({ version }) => String(version) === params.id);
  if (!key) throw data(null, { status: 404 });
  return new Response(toPem(key.publicKey), {
    headers: { "Content-Type": "application/x-pem-file", "X-Robots-Tag": "noindex" },
  });
}
