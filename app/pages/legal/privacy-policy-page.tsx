import { paths } from "../../../server/http/paths.ts";
import type { PageHandle } from "../../document/page-handle.ts";
import { breadcrumbs, pageMeta } from "../../document/page-meta.ts";
import fringe from "../../ui/fringe.module.css";
import tableOfContents from "../../ui/table-of-contents.js?script";
import { useWords, wordsAt } from "../../words.ts";
import type { Route } from "./+types/privacy-policy-page";
import { LegalPage } from "./legal-page.tsx";

export const handle: PageHandle = {
  inlineScripts: [tableOfContents],
  keptAs: () => paths.privacyPolicy,
};

export function meta({ matches, location }: Route.MetaArgs) {
  const { publicUrl } = matches[0].loaderData;
  const path = paths.privacyPolicy;
  const words = wordsAt(location);
  const { title, description } = words.legal.privacy;
  return pageMeta(words, {
    title,
    description,
    path,
    publicUrl,
    jsonLd: [breadcrumbs(words, publicUrl, [{ name: title, path }])],
  });
}

export default function PrivacyPolicyPage() {
  return <LegalPage document={useWords().legal.privacy} colours={fringe.leaf} />;
}
