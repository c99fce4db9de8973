import { addressCommand, checkingCommands } from "../../server/deletion-requests/ledger/proof.ts";
import { paths } from "../../server/http/paths.ts";
import { toPem } from "../../server/keys/signing.ts";
import type { PageHandle } from "../document/page-handle.ts";
import { getServices } from "../services-context.ts";
import { wordsAt } from "../words.ts";
import type { Route } from "./+types/receipt-keys";

export const handle: PageHandle = { keptAs: () => paths.receiptKeys };

/** How anybody checks a deletion receipt, every key that ever signed one, and how the ledger ended by day. */
export async function loader({ context, request }: Route.LoaderArgs) {
  const { receiptKeys, ledgerHeads, publicUrl } = getServices(context);
  const words = wordsAt(new URL(request.url)).deletion.visit.receipt.check;
  const [keys, heads] = [await receiptKeys(), await ledgerHeads()];
  const text = [
    words.title,
    "",
    words.begin,
    "",
    ...checkingCommands.map((command) => `  ${command}`),
    "",
    ...words.result,
    "",
    words.person,
    "",
    `  ${addressCommand}`,
    "",
    words.keys,
    "",
    ...keys.flatMap((key) => [
      `${publicUrl}${paths.receiptKey(key.version)}`,
      toPem(key.publicKey),
    ]),
    ...(heads.length > 0 ? [words.heads, ""] : []),
    ...heads.map(({ day, hash }) => `${day} ${hash}`),
    "",
  ];
  return new Response(text.join("\n"), {
    headers: { "Content-Type": "text/plain; charset=utf-8" },
  });
}
