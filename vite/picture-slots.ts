import type { HeroVehicle, Motifs } from "../campus-reader/choices.ts";
import { isDrawn } from "./drawings.ts";

/** A picture on the site that a campus can replace with a file of the same name in `pictures/`. */
export type Slot = {
  name: string;
  /** File in `art/SET/`, without its extension. Differs from `name` if the drawing has variants. */
  art: string;
  /** Size in CSS pixels. */
  width: number;
  height: number;
  /**
   * "day" selects the light-mode colors in both modes, for objects on a background that is the same
   * in both.
   */
  scheme?: "day";
  /** Whether the service is announced but not available yet. Its picture is then muted. */
  coming?: boolean;
  /** Location on the site, described for designers. */
  where: string;
};

/** The settings that determine a campus's pictures. */
type PictureWishes = {
  motifs: Motifs;
  heroVehicle: HeroVehicle;
  cash: boolean;
  services: readonly {
    id: string;
    status: "available" | "coming";
    picture?: string | undefined;
  }[];
  /** Names of the pictures for posts and blog categories, without the prefix "post-". */
  posts: readonly string[];
};

type Size = { width: number; height: number; scheme?: "day" };

const cardSize: Size = { width: 480, height: 360 };
const square: Size = { width: 360, height: 360 };
const postSize: Size = { width: 480, height: 320 };
const street: Size = { width: 640, height: 400 };

function slot(name: string, size: Size, where: string, art = name): Slot {
  return { name, art, ...size, where };
}

/** Lists all pictures that a campus with these settings shows. */
export function slotsFor(wishes: PictureWishes): Slot[] {
  const { heroVehicle: vehicle, cash, services, posts } = wishes;
  const paying = cash ? "cash" : "app";
  const offered = services.map(({ id, status, picture }, place) => {
    const art = findServiceArt(id, picture) ?? pickNeutral(place);
    const size = art.startsWith("post-") ? postSize : cardSize;
    return {
      ...slot(`service-${id}`, size, `landing page, service ${id}`, art),
      coming: status === "coming",
    };
  });
  const steps = [1, 2, 3, 4].map((step) =>
    slot(
      `step-${step}`,
      cardSize,
      `landing page, step ${step}`,
      step === 4 ? `step-4-${paying}` : undefined,
    ),
  );
  return [
    slot("hero", street, "landing page, first view", `hero-${vehicle}`),
    slot("phone", { width: 280, height: 560 }, "landing page, first view"),
    ...offered,
    ...steps,
    slot("tile-match", cardSize, "landing page, features"),
    slot("safety", cardSize, "landing page, safety"),
    slot("about", { width: 640, height: 320 }, "landing page, about", `about-${vehicle}`),
    slot("join-user", square, "landing page, registration; FAQ"),
    slot("join-rider", square, "landing page, registration"),
    slot("flat-tyre", postSize, "error pages", `flat-tyre-${vehicle}`),
    slot("empty-shelf", postSize, "blog, empty category"),
    slot("lost-page", postSize, "pages that do not exist"),
    slot("parked-bike", postSize, "admin pages, no work left"),
    slot("icon", { width: 64, height: 64, scheme: "day" }, "browser tab, legal pages"),
    slot("icon-maskable", { width: 512, height: 512 }, "home screen of a phone"),
    slot("share", shareSize, "link previews", `share-${vehicle}`),
    slot("share-post", shareSize, "link previews of posts, background"),
    ...[...new Set(posts)].map((name) => slot(`post-${name}`, postSize, `posts, picture: ${name}`)),
    slot("horizon-sun", { width: 412, height: 208 }, "blog, list of posts"),
    slot("route-bike", { width: 48, height: 40, scheme: "day" }, "dashed route"),
    slot("route-bike-above", { width: 48, height: 32, scheme: "day" }, "dashed route, from above"),
    slot("route-bike-night", { width: 48, height: 40, scheme: "day" }, "footer"),
  ];
}

/**
 * Finds our drawing for a service, by the service's `picture` or else by its id. Returns undefined
 * if there is no such drawing.
 */
export function findServiceArt(id: string, picture = id): string | undefined {
  return [`service-${picture}`, `post-${picture}`].find(isDrawn);
}

/** Drawings that suit any service. */
const neutral = ["post-campus-gate", "post-live-map", "post-good-manners"] as const;

/** Picks a drawing for a service that has none. Neighboring services get different drawings. */
function pickNeutral(place: number): string {
  return neutral[place % neutral.length] ?? neutral[0];
}

const shareSize: Size = { width: 1200, height: 630 };
