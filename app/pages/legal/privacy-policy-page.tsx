import { campus } from "virtual:campus";
import { paths } from "../../../server/http/paths.ts";
import type { PageHandle } from "../../document/page-handle.ts";
import { breadcrumbs, pageMeta } from "../../document/page-meta.ts";
import fringe from "../../ui/fringe.module.css";
import tableOfContents from "../../ui/table-of-contents.js?script";
import type { Route } from "./+types/privacy-policy-page";
import { LegalPage } from "./legal-page.tsx";

export const handle: PageHandle = {
  inlineScripts: [tableOfContents],
  keptAs: () => paths.privacyPolicy,
};

const policy = campus.legal.privacy;

export function meta({ matches }: Route.MetaArgs) {
  const { publicUrl } = matches[0].loaderData;
  const path = paths.privacyPolicy;
  return pageMeta({
    title: policy.title,
    description: policy.description,
    path,
    publicUrl,
    jsonLd: [breadcrumbs(publicUrl, [{ name: policy.title, path }])],
  });
}

export default function PrivacyPolicyPage() {
  return <LegalPage document={policy} colours={fringe.leaf} />;
}
