import { campus } from "virtual:campus";
import { paths } from "../../../server/http/paths.ts";
import type { PageHandle } from "../../document/page-handle.ts";
import { organization, pageMeta } from "../../document/page-meta.ts";
import type { Route } from "./+types/landing-page";
import { About } from "./about.tsx";
import { Careers } from "./careers.tsx";
import { Contact } from "./contact.tsx";
import { FaqTeaser } from "./faq-teaser.tsx";
import { Features } from "./features.tsx";
import { Hero } from "./hero.tsx";
import { Registration } from "./registration.tsx";
import { Safety } from "./safety.tsx";
import section from "./section.module.css";
import { Services } from "./services.tsx";
import { SmallPrint } from "./small-print.tsx";
import { Steps } from "./steps.tsx";

export const handle: PageHandle = { keptAs: () => paths.landing };

export function meta({ matches }: Route.MetaArgs) {
  const { publicUrl } = matches[0].loaderData;
  const { title, description } = campus.landing.meta;
  const { product, stores } = campus.settings;
  return pageMeta({
    title,
    description,
    path: paths.landing,
    publicUrl,
    jsonLd: [
      organization(publicUrl),
      {
        "@type": "MobileApplication",
        name: product,
        description,
        applicationCategory: "TravelApplication",
        operatingSystem: stores.available.operatingSystem,
        installUrl: stores.available.url,
        publisher: { "@id": `${publicUrl}/#organization` },
      },
    ],
  });
}

export default function LandingPage() {
  return (
    <div className={section.page}>
      <Hero />
      <Services />
      <Features />
      <Steps />
      <Safety />
      <FaqTeaser />
      <Registration />
      <About />
      <Careers />
      <Contact />
      <SmallPrint />
    </div>
  );
}
