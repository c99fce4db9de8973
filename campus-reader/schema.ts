import { z } from "zod";
import { type Kind, kinds as kindsHeld } from "../server/platform/database/schema.ts";
import { allCategories, formerSections, heroVehicles, motifSets, sectionNames } from "./choices.ts";
import { listTrips } from "./fares.ts";
import { countSigns, unique } from "./placeholders.ts";

/**
 * Schemas for a campus's data files: `campus.yaml`, `calendar.yaml` and `deletion.yaml`. They
 * validate these files at build time and at server startup, and report each mistake with file, field
 * and reason.
 */

const words = z.string().trim().min(1, "must not be empty");
/**
 * A name for use within sentences. Some sentences are Markdown or have placeholders, so the name
 * can't contain the special characters of either.
 */
const name = words.regex(
  /^[^{}<>[\]|*`\\\n]*$/,
  "must be plain words in one line, without { } < > [ ] | * ` or a backslash",
);
const nameUpTo = (most: number, why = "") =>
  name.refine((text) => countSigns(text) <= most, `must be ${most} characters or fewer${why}`);
const webAddress = z.url({ protocol: /^https$/, error: "must be a full https:// address" });
const webAddressOrNone = z.union([z.literal(""), webAddress], {
  error: 'must be a full https:// address, or "" where there is none yet',
});
const isoDate = z.iso.date("must be a date such as 2027-03-10");

const telephone = z
  .string('must be a telephone number in quotes, such as "112"')
  .regex(/^\+?[0-9](?: ?[0-9]){1,14}$/, "must be a telephone number: digits only, such as 112")
  // Ensures that the telephone number fits on a phone 320 px wide in large type. The number breaks
  // only at spaces.
  .refine(
    (number) => !/[0-9]{7}/.test(number),
    'must have a space after six digits or fewer, such as "020 222 2181"',
  );

const languageCode = z.string().regex(/^[a-z]{2}$/, "must be a two-letter language code");
const key = z.string().regex(/^[a-z][a-z0-9-]*$/, {
  error: "must be a key in small letters, such as new-year",
  abort: true,
});
/** Explains that text is required in each language, and how to write it. */
function needsLanguages({ input }: { input?: unknown }): string {
  const wanted = "must have its text after each language, such as en: ...";
  return input === undefined ? `is missing; it ${wanted}` : wanted;
}
/** Translations of a list entry, keyed by language. */
const wordsByLanguage = z.record(languageCode, words, { error: needsLanguages });

const uniqueNames = unique(({ name }: { name: string }) => `"${name}"`);

/**
 * Facts about the organization that runs the service. Both legal documents state them, and
 * `docs/legal-notes.md` explains them to a lawyer.
 */
const legalSchema = z.strictObject({
  person: name.describe("Legal person with which users enter into the agreement."),
  registration: name.describe(
    "Place and number of the organization's registration, worded so that it continues a sentence.",
  ),
  address: name.describe("Postal address on one line."),
  enlistment: name.describe("Enlistment number that the transport authority gave the service."),
  dataLocation: name.describe("Location of the servers that store the data."),
  arbitrationSeat: name.describe("City in which arbitration takes place."),
});

/** Names that are translated, unlike the names of the app and the developer. */
const inWords = {
  tagline: words.describe("What you offer, in a few words. Link previews show it."),
  campus: nameUpTo(80).describe("Name of the university or college."),
  city: name.describe("City of the campus."),
  country: name.describe("Country of the campus."),
  jurisdiction: name.describe("Jurisdiction named in the terms."),
  wallet: name.describe("Name of the digital wallet, as students call it."),
  hours: z
    .strictObject({
      from: name.describe("When the first rides begin, such as 7 AM."),
      until: name.describe("When the last rides end, such as 10 PM."),
      cheaperFrom: name.optional().describe("When the cheaper hours begin."),
      cheaperUntil: name.optional().describe("When the cheaper hours end."),
    })
    .optional()
    .describe(
      "Hours during which there are rides, and during which rides are cheaper. Texts use them as `{ridesFrom}`, `{ridesUntil}` and so on.",
    ),
  legal: legalSchema.describe("Facts that both legal documents state."),
};

const sign = name.max(4, "must be a sign such as € or at most four letters");

/** Symbols that can differ between languages. */
const inSigns = {
  currencySign: sign
    .optional()
    .describe("Currency sign in this language, if it differs from the first language's."),
};

/** Names of the places in a translation, keyed by place id. */
const placeNames = z
  .record(key, nameUpTo(24))
  .optional()
  .describe("Names of the places in this language, by their ids.");

const amount = z.number("must be a number such as 2.80").nonnegative();

const clockTime = z
  .string('must be a time in quotes, such as "07:00"')
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as "07:00" or "22:30"');

/**
 * Figures about rides. The campus's text refers to them as `{reachKm}`, `{usualWait}`,
 * `{longestWait}`, `{baseFare}` and so on.
 */
const rideSchema = z.strictObject({
  reachKm: z
    .number()
    .positive()
    .describe("Maximum distance of rides from the campus, in kilometers."),
  waitMinutes: z
    .strictObject({
      usual: z.int().min(1).describe("Minutes on an ordinary day."),
      longest: z.int().min(1).describe("Minutes during the busiest hours."),
    })
    .describe("Minutes until a driver arrives: usually, and during the busiest hours."),
  fare: z
    .strictObject({
      base: amount.describe("The base fare."),
      distance: amount.describe("The part for the distance."),
      time: amount.describe("The part for the time."),
    })
    .describe(
      "Parts of an example fare, whose sum is `{exampleFare}`: the fare of the first of the trips. The distance and time of another trip cost in proportion.",
    ),
  mostPerKm: amount
    .optional()
    .describe(
      "The most that a ride may cost per kilometer, if the law wants it so, as in Germany (§ 1 PBefG). Texts use it as `{mostPerKm}`, and no trip may cost more.",
    ),
  times: z
    .strictObject({
      from: clockTime.describe("The start of rides, such as 07:00."),
      until: clockTime.describe("The end, on the next day if it isn't later than the start."),
      busy: z
        .array(
          z.strictObject({
            from: clockTime.describe("The start of the longest wait."),
            until: clockTime.describe("The end of the longest wait."),
          }),
        )
        .default([])
        .describe("Times of the longest wait, on days that are no holiday and no weekend."),
      closedOnHolidays: z
        .boolean("must be true or false")
        .default(false)
        .describe("Whether there are no rides on holidays."),
    })
    .optional()
    .describe("The hours of rides by the clock, from which the first view says what is open now."),
});

/**
 * Maximum number of places on the fare board. It is small, because the page contains the fare of
 * every pair.
 */
const mostPlaces = 6;

const placesSchema = z
  .array(
    z.strictObject({
      id: key.describe("A name of your own, which URLs and trips use."),
      name: nameUpTo(24).describe("Name of the place."),
    }),
  )
  .min(2, "must be two or more: a ride has a start and an end")
  .max(mostPlaces, `must be ${mostPlaces} or fewer: the page holds the fare of every pair`)
  .superRefine(unique(({ id }) => id, "id"))
  .describe("Places between which the first view says the fare, in the order of its lists.");

const tripsSchema = z
  .array(
    z.strictObject({
      between: z
        .tuple([key, key])
        .refine(([a, b]) => a !== b, "must name two places")
        .describe("The ids of two places."),
      km: z.number().positive().describe("Kilometers on the way."),
      minutes: z.int().min(1).describe("Minutes on the way."),
    }),
  )
  .superRefine(unique(({ between }) => between.toSorted().join(" and "), "between"))
  .describe("One trip for each pair of places, in either direction. The page opens on the first.");

type PlaceSettings = {
  places?: z.infer<typeof placesSchema> | undefined;
  trips?: z.infer<typeof tripsSchema> | undefined;
  ride?: z.infer<typeof rideSchema> | undefined;
  translations: Record<string, { places?: Record<string, string> | undefined }>;
};
type PlacedMistake = [message: string, ...path: (string | number)[]];

function findTripMistakes({ places = [], trips = [], ride }: PlaceSettings): PlacedMistake[] {
  const ids = places.map(({ id }) => id);
  const pairs = ids.flatMap((from, index) => ids.slice(index + 1).map((to) => [from, to] as const));
  const unknown = trips.flatMap(({ between }, index): PlacedMistake[] =>
    between
      .filter((id) => !ids.includes(id))
      .map((id) => [`${id} is not one of the places`, "trips", index, "between"]),
  );
  const missing = pairs
    .filter((pair) => !trips.some(({ between }) => pair.every((id) => between.includes(id))))
    .map(([from, to]): PlacedMistake => [`lacks the trip between ${from} and ${to}`, "trips"]);
  return ids.length > 0 && !ride
    ? [["needs ride, whose fare is that of the first trip", "places"]]
    : [...unknown, ...missing];
}

/** Finds trips that cost more than the law allows. */
function findFareMistakes({ places, trips = [], ride }: PlaceSettings): PlacedMistake[] {
  const { mostPerKm } = ride ?? {};
  if (mostPerKm === undefined) return [];
  return listTrips({ places, trips, ride }).flatMap(({ fare }, index): PlacedMistake[] => {
    const { km = 0 } = trips[index] ?? {};
    const most = Math.round(mostPerKm * km * 100) / 100;
    return fare.total > most
      ? [[`costs ${fare.total}, but ride.mostPerKm allows ${most} for ${km} km`, "trips", index]]
      : [];
  });
}

function findUnnamed({ places = [], translations }: PlaceSettings): PlacedMistake[] {
  const ids = places.map(({ id }) => id);
  return Object.entries(translations).flatMap(([language, { places: names = {} }]) => {
    const at = ["translations", language, "places"];
    return [
      ...ids
        .filter((id) => !(id in names))
        .map((id): PlacedMistake => [`lacks the name of ${id}`, ...at]),
      ...Object.keys(names)
        .filter((id) => !ids.includes(id))
        .map((id): PlacedMistake => [`${id} is not one of the places`, ...at, id]),
    ];
  });
}

export const settingsSchema = z
  .strictObject({
    kit: z
      .union([z.number(), z.string()])
      .refine((kit) => /^\d+\.\d+(?:\.\d+)?$/.test(`${kit}`), "must be a version such as 1.14")
      .optional()
      .describe(
        "Product version whose rules this campus follows. `npm run campus -- update` raises it.",
      ),
    product: nameUpTo(30, ", as on the stores' listing").describe(
      "Name of the app, exactly as in the app stores.",
    ),
    developer: nameUpTo(50, ", as on the stores' listing").describe(
      "Name of the developer, exactly as in the app stores.",
    ),
    ...inWords,
    language: languageCode.describe(
      "First language: a folder in `content/`, and the `lang` of pages with no language in their URL.",
    ),
    translations: z
      .record(languageCode, z.strictObject({ ...inWords, ...inSigns, places: placeNames }), {
        error: ({ code }) =>
          code === "invalid_type"
            ? "must be a group for each language, such as fr: { campus: … }, with the campus's names in that language"
            : undefined,
      })
      .default({})
      .describe(
        "Additional languages, each with a folder in `content/`. `/bn/faq` is the FAQ in `bn`.",
      ),
    timeZone: z
      .string()
      .refine((zone) => {
        try {
          // Rejects fixed offsets such as +03:00, which have no daylight saving time. Temporal
          // rejects ambiguous abbreviations.
          return /^\p{L}/u.test(zone) && Boolean(Temporal.Now.plainDateISO(zone));
        } catch {
          return false;
        }
      }, "must be an IANA time zone such as Europe/Paris")
      .describe("Time zone of the campus, for formatting dates and counting business days."),
    currency: z
      .strictObject({
        sign: sign.describe("The sign in front of an amount, such as €."),
        code: z
          .string()
          .regex(/^[A-Z]{3}$/, "must be three capital letters such as EUR")
          .refine(
            (code) => !/^[A-Z]{3}$/.test(code) || Intl.supportedValuesOf("currency").includes(code),
            "must be the code of an existing currency, such as EUR",
          )
          .describe("Its three letters, such as EUR."),
      })
      .describe("The money that riders pay with."),
    ride: rideSchema
      .optional()
      .describe("Figures about rides, which texts use as `{reachKm}`, `{baseFare}` and so on."),
    places: placesSchema.optional(),
    trips: tripsSchema.optional(),
    cash: z
      .boolean("must be true or false")
      .default(true)
      .describe(
        "Whether riders can pay in cash. If they can't, no drawing of a payment shows banknotes or coins.",
      ),
    email: z
      .email("must be one email address in letters from a to z, such as help@our-ride.example")
      .describe("The only email address for support."),
    mailDomains: z
      .array(
        z.string().regex(/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/, "must be a domain such as uni.example"),
      )
      .default([])
      .describe(
        'Domains of email addresses for students. The deletion form asks about typos in them ("Did you mean uni.example?").',
      ),
    security: z
      .strictObject({
        contact: z
          .string()
          .regex(
            /^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/,
            "must begin with mailto: or https://",
          )
          .describe("Where researchers report a weakness: mailto: or https://."),
        expires: isoDate.describe(
          "Last day on which security.txt is valid, less than a year ahead. As the day approaches, the server warns at startup.",
        ),
        policy: webAddressOrNone.describe("URL of the disclosure policy; empty if there is none."),
      })
      .describe("Security contact for `/.well-known/security.txt` (RFC 9116)."),
    emergency: telephone.describe("Emergency number that the terms mention."),
    localEmergency: telephone.describe("Local emergency number, shown next to `emergency`."),
    policyDate: z
      .string()
      .regex(/^\p{L}[\p{L}\p{M}]+ \d{4}$/u, 'must be a month and a year, such as "July 2025"')
      .describe('Date of both legal documents, such as "July 2025".'),
    deletionBusinessDays: z
      .strictObject({
        target: z.int().min(1).describe("Business days within which the team wants to finish."),
        limit: z.int().min(1).describe("Business days that you promise, a month at most."),
      })
      .refine((days) => days.target <= days.limit, "target must not be later than limit")
      .describe(
        "Deadlines in business days after a request is confirmed: the team's target, and the promised limit.",
      ),
    categories: z
      .array(
        words.refine(
          (category) => category !== allCategories,
          "must not be All: so is the list of all posts",
        ),
      )
      .superRefine(unique((category) => `"${category}"`))
      .default([])
      .describe(
        "Blog categories, in the order of their links. The blog opens with `defaultCategory`. Category names appear in URLs and posts, so keep them stable. Each language's `interface.yaml` has their labels.",
      ),
    defaultCategory: words
      .default(allCategories)
      .describe("The category that the blog opens on; All is the list of all posts."),
    sections: z
      .preprocess(
        (list) =>
          Array.isArray(list) ? list.filter((name) => !formerSections.includes(name)) : list,
        z.array(z.enum(sectionNames)).superRefine(unique((section) => `"${section}"`)),
      )
      .default([...sectionNames])
      .describe(
        "Sections of the landing page, in their order. What is not listed does not exist: no section, no menu entry, no page. The place of blog does not matter.",
      ),
    heroVehicle: z.enum(heroVehicles).describe("Vehicle at the top of the landing page."),
    motifs: z
      .enum(motifSets)
      .describe("Style of the drawings: decoration, trees, buildings and clothes."),
    headingFont: z
      .string()
      .regex(/^[a-z0-9][a-z0-9-]*$/, "must be the name of a file in fonts/, without .woff2")
      .optional()
      .describe(
        "Heading font: the name of a file in `fonts/`, without `.woff2`. If the file or one of its letters is missing, headings use the reader's own fonts.",
      ),
    notices: z
      .array(
        z.strictObject({
          text: z
            .record(languageCode, words, { error: needsLanguages })
            .describe("The notice in each language; without one, the first language's is shown."),
          until: isoDate.describe("Last day on which it is shown, in the campus's time zone."),
          link: z
            .string()
            .regex(
              /^(?:https:\/\/|\/(?!\/))\S*$/,
              "must begin with https://, or with / for a page of ours",
            )
            .optional()
            .describe("The page that says more: https://..., or a page of ours such as /faq."),
        }),
      )
      .default([])
      .describe("Notices on top of every public page. Each disappears by itself."),
    links: z
      .strictObject({
        download: webAddress.describe("Where every download button leads."),
        joinAsRider: webAddress.describe("Where people sign up to drive."),
      })
      .describe("Where the buttons of the landing page lead."),
    imprint: z
      .string()
      .regex(
        /^\/[a-z0-9-]+(?:#section-[1-9]\d?)?$/,
        "must be a page of yours, such as /imprint, or a section of a legal document, such as /terms-conditions#section-1",
      )
      .optional()
      .describe(
        "The page or section that identifies the provider, if the law requires a link to it on every page, as in Germany (§ 5 DDG).",
      ),
    sampleNames: z
      .array(z.string().regex(/^[a-z]+$/, "must be small letters from a to z"))
      .min(1)
      .default(["person"])
      .describe(
        "Names for the requesters in a drill, at least one. They become parts of email addresses.",
      ),
    social: z
      .array(
        z.strictObject({
          name: words.describe("Name of the site, such as Instagram."),
          url: webAddressOrNone.describe('Your page there; "" marks it as coming.'),
        }),
        "must be a list; [] where there is none",
      )
      .max(6, "must be six or fewer: the footer's column ends there")
      .superRefine(uniqueNames)
      .describe(
        "Social media accounts, in the order of the footer. An account without a URL is shown as text and marked as coming soon.",
      ),
    stores: z
      .array(
        z.strictObject({
          name: name.describe("Name of the store, such as Google Play."),
          operatingSystem: words.describe("System of its phones, such as Android."),
          url: webAddressOrNone.describe('Your app there; "" marks it as coming.'),
        }),
        "must be a list; [] where there is none",
      )
      .max(4, "must be four or fewer: the footer has no room for more")
      .superRefine(uniqueNames)
      .describe(
        "App stores, in the order of the footer. A store without a URL is shown as coming soon.",
      ),
  })
  .refine(
    (settings) => [allCategories, ...settings.categories].includes(settings.defaultCategory),
    {
      path: ["defaultCategory"],
      error: "must be one of the categories, or All",
    },
  )
  .refine((settings) => !(settings.language in settings.translations), {
    path: ["translations"],
    error: "must not contain the first language",
  })
  .superRefine((settings, context) => {
    const mistakes = [findTripMistakes, findFareMistakes, findUnnamed].flatMap((find) =>
      find(settings),
    );
    for (const [message, ...path] of mistakes) {
      context.addIssue({ code: "custom", path, message });
    }
  });
export type CampusSettings = z.infer<typeof settingsSchema> & {
  /** Number of days for which backups are retained, or `undefined` if the data list is invalid. */
  backupDays?: number | undefined;
  /**
   * The campus's default language. `settingsIn` sets this field, because it may change `language`.
   */
  firstLanguage?: string;
};

const weekday = "must be a number from 1 (Monday) to 7 (Sunday)";

export const calendarSchema = z
  .strictObject({
    weekend: z
      .array(z.int(weekday).min(1, weekday).max(7, weekday))
      .max(6, "must leave at least one day on which the team works")
      .refine((days) => new Set(days).size === days.length, "must name each day once")
      .describe("ISO weekday numbers, from Monday (1) to Sunday (7)."),
    everyYear: z
      .array(
        z.strictObject({
          day: z
            .string()
            .refine(
              // Checks the date in a leap year, in which every date exists.
              (day) => /^\d\d-\d\d$/.test(day) && isoDate.safeParse(`2028-${day}`).success,
              "must be a month and a day such as 12-16",
            )
            .describe("Month and day, such as 12-16."),
          holiday: key.describe("Its key under `names`."),
        }),
      )
      .superRefine(unique(({ day }) => day))
      .default([])
      .describe("Holidays on the same date every year, as month and day."),
    holidays: z
      .array(
        z.strictObject({
          date: isoDate.describe("Day such as 2027-03-10, in quotes."),
          holiday: key.describe("Its key under `names`."),
        }),
      )
      .superRefine(unique(({ date }) => date))
      .describe(
        "Holidays in particular years. If a date is in both lists, this list provides its name.",
      ),
    workingDays: z
      .array(
        z.strictObject({
          date: isoDate.describe("Day such as 2027-03-13, in quotes."),
          reason: words.describe("Why you work on it."),
        }),
      )
      .superRefine(unique(({ date }) => date))
      .default([])
      .describe("Exceptional workdays that fall on a weekend or holiday."),
    names: z.record(key, wordsByLanguage).describe("Names of the holidays, keyed by language."),
  })
  .superRefine((calendar, context) => {
    for (const list of ["everyYear", "holidays"] as const) {
      for (const [index, { holiday }] of calendar[list].entries()) {
        if (holiday in calendar.names) continue;
        const message = `${holiday} has no name; write it under names`;
        context.addIssue({ code: "custom", path: [list, index, "holiday"], message });
      }
    }
  });
export type CampusCalendar = z.input<typeof calendarSchema>;

const dataKindWords = z.strictObject({
  kind: words.describe("Name of this kind of data."),
  examples: words.describe("What belongs to it."),
  when: words
    .optional()
    .describe(
      "When the data is deleted, if not together with the account, or how long the data is kept.",
    ),
  why: words.optional().describe("Reason for keeping the data."),
});

const dataKindSchema = z.strictObject({
  key: key.describe("A key of your own."),
  store: key.describe("Key of the store that contains the data."),
  accounts: z
    .array(z.enum(["User", "Rider"]))
    .min(1)
    .describe("Whose data this is: a User rides along, a Rider drives."),
  onDeletion: z
    .enum(["deleted", "kept"])
    .describe(
      "What happens to it when the account is deleted. Data that is kept needs `when` and `why`.",
    ),
  holds: z
    .unknown()
    .optional()
    .describe("Obsolete. Accepted and ignored, so that older data lists stay valid."),
  words: z
    .record(languageCode, dataKindWords)
    .describe("What people read about it, in each language."),
});
type DataKindSetting = z.infer<typeof dataKindSchema>;

/**
 * URL of the admin page for an account in this store. The operator desk links to it. The
 * requester's email address replaces `{address}`.
 */
const adminPage = z
  .url({
    protocol: /^https?$/,
    error: "must be an address such as https://admin.example/users?q={address}",
  })
  .max(300);

const uniqueKeys = unique(({ key }: { key: string }) => key);

/** Instructions, in each language, for the operator who deletes an account in this store. */
const how = z.record(
  languageCode,
  words.refine((text) => (text.match(/[.!?।]+(?=\s|$)/g)?.length ?? 0) <= 2, {
    error: "must be two sentences at most",
  }),
);

const store = {
  key: key.describe("A key of your own, which `kinds` name."),
  adminPage: adminPage
    .optional()
    .describe("Page for an account in this place. The email address replaces `{address}`."),
  how: how
    .optional()
    .describe("How an operator deletes an account there, in two sentences at most."),
  words: wordsByLanguage.describe("Name of the place in each language, within a sentence."),
};

/**
 * Entry for this website, which erases requests by itself. The product's text names the website and
 * describes its data.
 */
const website = { key: "deletion-page", holder: "this-site", words: {} } as const;

/**
 * Finds a store in the campus's list whose key is reserved for this website.
 * @returns the store's index, or -1
 */
export function findTakenKey(list: unknown): number {
  const { stores } = Object(list);
  if (!Array.isArray(stores)) return -1;
  if (stores.some((store) => store?.holder === website.holder)) return -1;
  return stores.findIndex((store) => store?.key === website.key);
}

/**
 * Kinds of the website's data that older campuses list under their own keys, with their own
 * descriptions.
 */
const formerlyListed: readonly string[] = ["deletion-request", "proof"] satisfies Kind[];

export const dataListSchema = z
  .strictObject({
    stores: z
      .array(
        z.discriminatedUnion(
          "holder",
          [
            z.strictObject({
              ...store,
              holder: z
                .enum(["us", website.holder])
                .describe("us for a place of your own; this-site for this website."),
            }),
            z.strictObject({
              ...store,
              holder: z
                .literal("recipient")
                .describe(
                  "Another organization that must be notified of the erasure (GDPR 17(2) and 19, CCPA 7022).",
                ),
              told: z
                .enum(["by-operator", "by-itself"])
                .describe(
                  "How the recipient learns of an erasure: an operator notifies the recipient about each account, or no one needs to, for example because the recipient's copy is regularly overwritten.",
                ),
            }),
          ],
          {
            error: "must be us for a place of your own, recipient for someone else's, or this-site",
          },
        ),
      )
      .min(1)
      .transform((stores): typeof stores => {
        if (stores.some(({ holder }) => holder === website.holder)) return stores;
        // Data lists from November 2026 described the website under the key that is now reserved
        // for it.
        if (!stores.some(({ key }) => key === website.key)) return [...stores, website];
        return stores.map(({ holder: _, ...rest }) =>
          rest.key === website.key ? { ...rest, holder: website.holder } : { ...rest, holder: _ },
        ) as typeof stores;
      })
      .superRefine(uniqueKeys)
      .describe("Places where data is stored: your databases, folders and providers."),
    backupDays: z
      .int()
      .min(0)
      .max(365)
      .describe("Days until the last backup with deleted data is gone."),
    kinds: z
      .array(dataKindSchema)
      .min(1)
      .superRefine(uniqueKeys)
      .describe("Kinds of data. The website adds its own."),
    ownershipProofs: z
      .array(
        z.strictObject({
          key: key.describe("A key of your own."),
          words: wordsByLanguage.describe("What the history says about this proof."),
          ask: wordsByLanguage
            .optional()
            .describe("Question that asks the requester for this proof."),
        }),
      )
      .min(1)
      .superRefine(uniqueKeys)
      .describe("How people prove that an account with a closed mailbox is theirs."),
  })
  .superRefine((list, context) => {
    const refuse = (message: string, ...path: (string | number)[]) =>
      context.addIssue({ code: "custom", path, message });
    for (const [index, { store, onDeletion, words }] of list.kinds.entries()) {
      if (!list.stores.some(({ key }) => key === store)) {
        const stores = list.stores.filter(({ holder }) => holder !== website.holder);
        const keys = stores.map(({ key }) => key).join(", ");
        refuse(`${store} is not one of the stores (${keys})`, "kinds", index, "store");
      }
      for (const [language, { when = "", why = "" }] of Object.entries(words)) {
        if (onDeletion === "deleted" || (when !== "" && why !== "")) continue;
        const message = "data that is kept needs `when` (how long) and `why`";
        refuse(message, "kinds", index, "words", language);
      }
    }
  })
  .transform((list) => {
    const { key: store } = list.stores.find(({ holder }) => holder === website.holder) ?? website;
    const held = Object.entries(kindsHeld).flatMap(([key, whose]): DataKindSetting[] => {
      const onDeletion = whose === "person" ? "deleted" : "kept";
      const isListed = list.kinds.some(
        (row) => row.store === store && row.onDeletion === onDeletion,
      );
      if (isListed && formerlyListed.includes(key)) return [];
      return [{ key, store, accounts: ["User", "Rider"], onDeletion, words: {} }];
    });
    return { ...list, kinds: [...list.kinds, ...held] };
  });
export type DataListSetting = z.infer<typeof dataListSchema>;

/** A kind of data, with its text in one language. */
export type DataKind = Omit<DataKindSetting, "words"> &
  z.infer<typeof dataKindWords> & {
    /** Name of the store. */
    place: string;
  };
