import { campus } from "virtual:campus";
import { type ComponentType, use } from "react";
import { redirect } from "react-router";
import type { SectionName } from "../../../campus-reader/choices.ts";
import {
  connectsSame,
  listTrips,
  namePlaces,
  type TripEnds,
  tripImage,
} from "../../../campus-reader/fares.ts";
import { findNextRideChange, findRideState } from "../../../server/platform/calendar/ride-hours.ts";
import { paths } from "../../../server/platform/http/paths.ts";
import type { PageHandle } from "../../document/page-handle.ts";
import { organization, pageMeta } from "../../document/page-meta.ts";
import { StylesContext } from "../../document/styles.ts";
import { hasSection } from "../../sections.ts";
import { servicesContext } from "../../services-context.ts";
import { type PageWords, useWords, wordsAt } from "../../words.ts";
import type { Route } from "./+types/landing-page";
import { About } from "./about.tsx";
import { Careers } from "./careers.tsx";
import { Contact } from "./contact.tsx";
import { FaqTeaser } from "./faq-teaser.tsx";
import fareBoard from "./fare-board.js?script";
import { presentTrips } from "./fare-board.tsx";
import { Features } from "./features.tsx";
import { Hero } from "./hero.tsx";
import styles from "./landing-page.module.css";
import lateParts from "./late-parts.js?script";
import { Registration } from "./registration.tsx";
import { Safety } from "./safety.tsx";
import { Services } from "./services.tsx";
import { SmallPrint } from "./small-print.tsx";
import { Steps } from "./steps.tsx";
import { asksForTrip, readTrip, tripPath } from "./trip.ts";

export const handle: PageHandle = {
  inlineScripts: [...(campus.settings.places ? [fareBoard] : []), lateParts],
  query: ["from", "to"],
  keptAs(url) {
    const trip = readTrip(url, wordsAt(url));
    if (trip) return tripPath(trip);
    // Don't cache unknown trips; the loader redirects them to the landing page.
    return asksForTrip(url) ? undefined : paths.landing;
  },
};

export function loader({ context, request }: Route.LoaderArgs) {
  const url = new URL(request.url);
  const words = wordsAt(url);
  const trip = readTrip(url, words);
  if (!trip && asksForTrip(url)) throw redirect(words.to(paths.landing));
  const { clock, calendar } = context.get(servicesContext);
  const times = campus.settings.ride?.times;
  const now = clock();
  // The page cache evicts the page when the ride state changes.
  const state = times && findRideState(times, calendar, now);
  const rides = state && {
    is: state.is,
    holiday: state.holiday,
    untilMs: state.until.epochMilliseconds,
    changeMs: findNextRideChange(times, calendar, now).epochMilliseconds,
  };
  return { trip, rides };
}

export function meta({ matches, location, loaderData: { trip } }: Route.MetaArgs) {
  const { publicUrl } = matches[0].loaderData;
  const words = wordsAt(location);
  const { fares, meta } = words.landing;
  const { description } = meta;
  const nameOf = namePlaces(words.settings);
  const { product, stores } = words.settings;
  const live = stores.filter(({ url }) => url);
  return pageMeta(words, {
    title: trip
      ? words.say(fares.title, {
          from: nameOf(trip.from),
          to: nameOf(trip.to),
          fare: priceOf(trip, words),
        })
      : meta.title,
    description,
    path: paths.landing,
    shared: trip && tripPath(trip),
    image: trip && tripImage(trip.from, trip.to),
    publicUrl,
    // Only the canonical URL has structured data; the URL of a trip is for sharing.
    jsonLd: trip
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

/** Returns a trip's fare. Both directions cost the same. */
function priceOf(ends: TripEnds, words: PageWords): string {
  return presentTrips(words).find((trip) => connectsSame(trip, ends))?.price ?? "";
}

/**
 * Component per section. The two policies are missing because they share a component; other missing
 * sections have no content on this page.
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
 * The campus's sections in order. Of the two policies, only the first is listed, because both are
 * rendered together.
 */
const sections = campus.settings.sections
  .filter((name) => parts[name] || isPolicy(name))
  .filter((name, place, all) => !isPolicy(name) || all.findIndex(isPolicy) === place);

export default function LandingPage({ loaderData: { trip, rides } }: Route.ComponentProps) {
  const { settings } = useWords();
  const [first] = listTrips(settings);
  const { late } = use(StylesContext);
  return (
    <div className={styles.page}>
      <Hero chosen={trip ?? first} rides={rides} />
      {late.map((href) => (
        <link key={href} rel="stylesheet" href={href} />
      ))}
      {sections.map((name) => {
        const Part = parts[name];
        return Part ? <Part key={name} /> : <SmallPrint key={name} has={hasSection} />;
      })}
    </div>
  );
}
