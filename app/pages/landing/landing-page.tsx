import { campus } from "virtual:campus";
import { type ComponentType, Fragment, use } from "react";
import { redirect } from "react-router";
import type { SectionName } from "../../../campus-reader/choices.ts";
import { paths } from "../../../server/platform/http/paths.ts";
import type { PageHandle } from "../../document/page-handle.ts";
import { organization, pageMeta } from "../../document/page-meta.ts";
import { StylesContext } from "../../document/styles.ts";
import { hasSection } from "../../sections.ts";
import { useWords, wordsAt } from "../../words.ts";
import type { Route } from "./+types/landing-page";
import { About } from "./about.tsx";
import { Careers } from "./careers.tsx";
import { Contact } from "./contact.tsx";
import { FaqTeaser } from "./faq-teaser.tsx";
import { Features } from "./features.tsx";
import { Hero } from "./hero.tsx";
import { hoodPath, plainHood, readHood } from "./hood.ts";
import lateParts from "./late-parts.js?script";
import { Registration } from "./registration.tsx";
import { Safety } from "./safety.tsx";
import section from "./section.module.css";
import { Services } from "./services.tsx";
import { SmallPrint } from "./small-print.tsx";
import { Steps } from "./steps.tsx";

/** Reads the hood from the query string, if the campus lets visitors paint the hood. */
const readPaint = (url: URL) => (wordsAt(url).landing.paint ? readHood(url) : undefined);

export const handle: PageHandle = {
  inlineScripts: [lateParts],
  keptAs(url) {
    const hood = readPaint(url);
    if (!hood) return paths.landing;
    // Doesn't cache a submitted form, which the loader redirects to the URL of the painted hood.
    return url.searchParams.has("motif") ? undefined : hoodPath(hood);
  },
};

export function loader({ request }: Route.LoaderArgs) {
  const url = new URL(request.url);
  const hood = readPaint(url);
  if (hood && url.searchParams.has("motif")) throw redirect(wordsAt(url).to(hoodPath(hood)));
  return { hood };
}

export function meta({ matches, location, loaderData: { hood } }: Route.MetaArgs) {
  const { publicUrl } = matches[0].loaderData;
  const words = wordsAt(location);
  const { paint, meta } = words.landing;
  const { description } = meta;
  const { product, stores } = words.settings;
  const live = stores.filter(({ url }) => url);
  return pageMeta(words, {
    title:
      hood && paint
        ? words.say(paint.title, {
            colour: paint.colours[hood.colour],
            motif: paint.motifs[hood.motif],
          })
        : meta.title,
    description,
    path: paths.landing,
    shared: hood && hoodPath(hood),
    image: hood && `hood-${hood.colour}-${hood.motif}`,
    publicUrl,
    // Only the canonical URL has structured data; a page with a painted hood is for sharing.
    jsonLd: hood
      ? []
      : [
          organization(words, publicUrl),
          {
            "@type": "MobileApplication",
            name: product,
            description,
            applicationCategory: "TravelApplication",
            operatingSystem: live.map((store) => store.operatingSystem).join(", "),
            installUrl: live[0]?.url,
            publisher: { "@id": `${publicUrl}/#organization` },
          },
        ],
  });
}

/**
 * Components of the sections, keyed by section name. The two policies aren't listed, because they
 * share one component. All other unlisted sections have no content on this page.
 */
const parts: Partial<Record<SectionName, ComponentType>> = {
  services: Services,
  features: Features,
  steps: Steps,
  safety: Safety,
  faq: FaqTeaser,
  registration: Registration,
  about: About,
  careers: Careers,
  contact: Contact,
};

const isPolicy = (name: SectionName) => name === "cookies" || name === "refund";

/**
 * The campus's sections in order. Contains only the first of the two policies, because both are
 * rendered together.
 */
const sections = campus.settings.sections
  .filter((name) => parts[name] || isPolicy(name))
  .filter((name, place, all) => !isPolicy(name) || all.findIndex(isPolicy) === place);

/** The first section whose styles load late. All sections except the services have such styles. */
const firstLate = sections.find((name) => name !== "services");

export default function LandingPage({ matches, loaderData: { hood } }: Route.ComponentProps) {
  const { to } = useWords();
  const { publicUrl } = matches[0].loaderData;
  const { late } = use(StylesContext);
  return (
    <div className={section.page}>
      <Hero hood={hood ?? plainHood} link={hood && publicUrl + to(hoodPath(hood))} />
      {sections.map((name) => {
        const Part = parts[name];
        return (
          <Fragment key={name}>
            {name === firstLate && late !== "" && <link rel="stylesheet" href={late} />}
            {Part ? <Part /> : <SmallPrint has={hasSection} />}
          </Fragment>
        );
      })}
    </div>
  );
}
