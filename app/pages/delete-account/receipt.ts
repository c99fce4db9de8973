import { data } from "react-router";
import type { DataKind } from "../../../campus/schema.ts";
import { describeDataKind } from "../../../server/deletion-requests/mail-writer.ts";
import { writeProof } from "../../../server/deletion-requests/proof.ts";
import { paths } from "../../../server/http/paths.ts";
import { getServices } from "../../services-context.ts";
import { wordsAt } from "../../words.ts";
import type { Route } from "./+types/receipt";
import { toVisitView } from "./visit-view.ts";

/** The receipt of a completed request as a text file, for whoever holds a visit to its status page. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const url = new URL(request.url);
  const words = wordsAt(url);
  const visit = url.searchParams.get("visit") ?? "";
  const { visits, publicUrl } = getServices(context);
  const result = await visits.openVisit(visit);
  const view = toVisitView(words, result, visit);
  if (result.kind !== "status" || view.kind !== "status" || view.state !== "completed") {
    throw data(null, { status: 404 });
  }
  const { receipt, status } = words.deletion.visit;
  const { product, developer, email } = words.settings;
  const { proof } = result.status;
  const list = (fate: DataKind["onDeletion"]) =>
    words.dataKinds
      .filter((row) => row.onDeletion === fate)
      .map((row) => `- ${describeDataKind(row)}`);
  const text = [
    `${product}, ${developer}: ${receipt.title}`,
    "",
    status.states.completed.title,
    ...[...view.facts, ...view.dates].map((fact) => `${fact.label}: ${fact.value}`),
    "",
    receipt.deleted,
    ...list("deleted"),
    "",
    receipt.kept,
    ...list("kept"),
    "",
    email,
    "",
    ...(proof
      ? [
          ...receipt.proof.lines,
          `${publicUrl}${paths.receiptKeys}`,
          "",
          ...writeProof(proof, `${publicUrl}${paths.receiptKey(proof.keyVersion)}`),
        ]
      : []),
  ].join("\r\n");
  const name = receipt.fileName.replace("{reference}", result.status.reference);
  return new Response(text, {
    headers: {
      "Content-Type": "text/plain; charset=utf-8",
      "Content-Disposition": `attachment; filename="${name}"`,
      "Cache-Control": "no-store",
      "X-Robots-Tag": "noindex",
    },
  });
}
