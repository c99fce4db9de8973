import { campus } from "virtual:campus";
import { paths } from "../../../server/http/paths.ts";
import type { PageHandle } from "../../document/page-handle.ts";
import { breadcrumbs, pageMeta } from "../../document/page-meta.ts";
import fringe from "../../ui/fringe.module.css";
import tableOfContents from "../../ui/table-of-contents.js?script";
import type { Route } from "./+types/terms-conditions-page";
import { LegalPage } from "./legal-page.tsx";

export const handle: PageHandle = {
  inlineScripts: [tableOfContents],
  keptAs: () => paths.terms,
};

const terms = campus.legal.terms;

export function meta({ matches }: Route.MetaArgs) {
  const { publicUrl } = matches[0].loaderData;
  const path = paths.terms;
  return pageMeta({
    title: terms.title,
    description: terms.description,
    path,
    publicUrl,
    jsonLd: [breadcrumbs(publicUrl, [{ name: terms.title, path }])],
  });
}

export default function TermsConditionsPage() {
  return <LegalPage document={terms} colours={fringe.marigold} />;
}
