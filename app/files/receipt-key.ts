import { data } from "react-router";
import { toPem } from "../../server/platform/crypto/signing.ts";
import { servicesContext } from "../services-context.ts";
import type { Route } from "./+types/receipt-key";

/** Responds with a current or former receipt key as a PEM-encoded public key. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const keys = await context.get(servicesContext).receiptKeys();
  const key = keys.find(({ version }) => String(version) === params.id);
  if (!key) throw data(null, { status: 404 });
  return new Response(toPem(key.publicKey), {
    headers: { "Content-Type": "application/x-pem-file", "X-Robots-Tag": "noindex" },
  });
}
