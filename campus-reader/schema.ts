import { z } from "zod";
import { type Kind, kinds as kindsHeld } from "../server/database/schema.ts";
import { heroVehicles, motifSets } from "./choices.ts";
import { countSigns, once } from "./placeholders.ts";

/**
 * What a campus may say about itself, field by field. Everything in `campus/` passes through these schemas when the
 * site is built and when the server starts; a mistake is reported with file, field and reason.
 */

const words = z.string().trim().min(1, "must not be empty");
/** Words that stand within sentences, some of which are Markdown and have placeholders of their own. */
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
  // It stands large on a phone of 320 px, and breaks where a space is.
  .refine(
    (number) => !/[0-9]{7}/.test(number),
    'must have a space after six digits or fewer, such as "020 222 2181"',
  );

const languageCode = z.string().regex(/^[a-z]{2}$/, "must be a two-letter language code");
const key = z
  .string()
  .regex(/^[a-z][a-z0-9-]*$/, "must be a key: lower-case words joined by hyphens");
/** Words by language, for what stands in a list of keys. */
const wordsByLanguage = z.record(languageCode, words);

const onceByName = once(({ name }: { name: string }) => `"${name}"`);

/** What both legal documents say of whoever answers for the service. `docs/legal-notes.md` is for the lawyer. */
const legalSchema = z.strictObject({
  /** The legal person that users have their agreement with. */
  person: name,
  /** Where and under which number it is registered, as the continuation of a sentence. */
  registration: name,
  /** Where letters reach it, on one line. */
  address: name,
  /** Number under which the transport authority has enlisted the service. */
  enlistment: name,
  /** Where the servers with the data stand. */
  dataLocation: name,
  arbitrationSeat: name,
});

/** What is said differently of the campus in another language. Names of the app and its developer stay. */
const inWords = {
  tagline: words,
  /** The university or college. */
  campus: nameUpTo(80),
  city: name,
  country: name,
  /** Whose law the terms follow. */
  jurisdiction: name,
  /** The digital wallet that students know by name. */
  wallet: name,
  /** The hours of the day with rides, and of cheaper ones, as `{ridesFrom}`, `{ridesUntil}` and the like in texts. */
  hours: z
    .strictObject({
      from: name,
      until: name,
      cheaperFrom: name.optional(),
      cheaperUntil: name.optional(),
    })
    .optional(),
  legal: legalSchema,
};

const amount = z.number("must be a number such as 2.80").nonnegative();

/** Figures of a ride that several texts name: `{reachKm}`, `{usualWait}`, `{longestWait}`, `{baseFare}` and the like. */
const rideSchema = z.strictObject({
  /** How far beyond the campus rides go. */
  reachKm: z.number().positive(),
  /** Minutes until a driver comes: usually, and in the worst hours. */
  waitMinutes: z.strictObject({ usual: z.int().min(1), longest: z.int().min(1) }),
  /** The example of a fare; what it comes to, `{exampleFare}`, is their sum. */
  fare: z.strictObject({ base: amount, distance: amount, time: amount }),
});

export const settingsSchema = z
  .strictObject({
    /** Name of the app, exactly as on its store listing. */
    product: nameUpTo(30, ", as on the stores' listing"),
    /** Name of the developer, exactly as on the store listing. */
    developer: nameUpTo(50, ", as on the stores' listing"),
    ...inWords,
    /** The first language: a folder below `content/`, and the `lang` of every page whose address asks for no other. */
    language: languageCode,
    /** The other languages, each with a folder of its own; `?lang=bn` asks for the one under `bn`. */
    translations: z.record(languageCode, z.strictObject(inWords)).default({}),
    /** Where a day begins and ends: for dates in words, and for the days that are promised. */
    timeZone: z.string().refine((zone) => {
      try {
        // An hour's distance such as +03:00 knows no summer time; what is short for several zones Temporal refuses.
        return /^\p{L}/u.test(zone) && Boolean(Temporal.Now.plainDateISO(zone));
      } catch {
        return false;
      }
    }, "must be an IANA time zone such as Europe/Paris"),
    currency: z.strictObject({
      sign: name.max(4, "must be a sign such as € or at most four letters"),
      code: z
        .string()
        .regex(/^[A-Z]{3}$/, "must be three capital letters such as EUR")
        .refine(
          (code) => !/^[A-Z]{3}$/.test(code) || Intl.supportedValuesOf("currency").includes(code),
          "must be the code of a currency that there is, such as EUR",
        ),
    }),
    ride: rideSchema.optional(),
    /** Whether a fare may be paid in cash; where it may not, no drawing of a payment shows notes or coins. */
    cash: z.boolean("must be true or false").default(true),
    /** The one support mailbox. */
    email: z.email("must be a mail address without accents, such as help@our-ride.example"),
    /** Domains of students' addresses: the deletion form asks about slips of them ("Did you mean uni.example?"). */
    mailDomains: z
      .array(
        z.string().regex(/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/, "must be a domain such as uni.example"),
      )
      .default([]),
    /** For `/.well-known/security.txt` (RFC 9116): where to report a weakness of the site. */
    security: z.strictObject({
      contact: z
        .string()
        .regex(/^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/, "must begin with mailto: or https://"),
      /** The last day on which this may be relied on; less than a year ahead. The start warns before. */
      expires: isoDate,
      /** Page with the rules for reporting; empty where there is none. */
      policy: webAddressOrNone,
    }),
    /** The number that the terms name. */
    emergency: telephone,
    /** The number that works here; it stands beside `emergency` wherever that is shown. */
    localEmergency: telephone,
    /** Shown as the date of both legal documents, such as "July 2025". */
    policyDate: z
      .string()
      .regex(/^\p{L}[\p{L}\p{M}]+ \d{4}$/u, 'must be a month and a year, such as "July 2025"'),
    /** Business days from a confirmed request: the team's target, and the promised limit. */
    deletionBusinessDays: z
      .strictObject({ target: z.int().min(1), limit: z.int().min(1) })
      .refine((days) => days.target <= days.limit, "target must not be later than limit"),
    /**
     * Categories of the blog, in the order of their chips; the blog opens on `defaultCategory`. They stand in addresses
     * and in the posts, so keep them; what each is called in a language stands in its `interface.yaml`.
     */
    categories: z
      .array(
        words.refine(
          (category) => category !== "All",
          "must not be All: so is the list of all posts",
        ),
      )
      .min(1)
      .superRefine(once((category) => `"${category}"`)),
    defaultCategory: words,
    /** What drives in the first view; a rickshaw's hood can be painted there. */
    heroVehicle: z.enum(heroVehicles, { error: `must be one of ${heroVehicles.join(", ")}` }),
    /** What the drawings are made of: what is painted on things, trees, halls and how people dress. */
    motifs: z.enum(motifSets, { error: `must be one of ${motifSets.join(", ")}` }),
    links: z.strictObject({ download: webAddress, joinAsRider: webAddress }),
    /** The section that names the provider, where the law wants it linked from every page, as in Germany (§ 5 DDG). */
    imprint: z
      .string()
      .regex(
        /^\/(?:privacy-policy|terms-conditions)#section-[1-9]\d?$/,
        "must be a section of a legal document, such as /terms-conditions#section-1",
      )
      .optional(),
    /** Whose requests a drill is made of: names as they stand in addresses, of as many people as you like. */
    sampleNames: z
      .array(z.string().regex(/^[a-z]+$/, "must be small letters from a to z"))
      .min(1)
      .default(["person"]),
    /** In the footer's order. Without an address: shown as text, marked as not there yet. */
    social: z
      .array(
        z.strictObject({ name: words, url: webAddressOrNone }),
        "must be a list; [] where there is none",
      )
      .max(6, "must be six or fewer: the footer's column ends there")
      .superRefine(onceByName),
    /** In the footer's order. Without an address: shown as coming soon. */
    stores: z
      .array(
        z.strictObject({ name, operatingSystem: words, url: webAddressOrNone }),
        "must be a list; [] where there is none",
      )
      .max(4, "must be four or fewer: the footer has room for so many signs")
      .superRefine(onceByName),
  })
  .refine((settings) => settings.categories.includes(settings.defaultCategory), {
    path: ["defaultCategory"],
    error: "must be one of the categories",
  })
  .refine((settings) => !(settings.language in settings.translations), {
    path: ["translations"],
    error: "must not hold the first language",
  });
export type CampusSettings = z.infer<typeof settingsSchema> & {
  /** From the list of data, for texts that name it; unknown while that list has a mistake. */
  backupDays?: number | undefined;
};

const weekday = "must be a number from 1 (Monday) to 7 (Sunday)";

export const calendarSchema = z
  .strictObject({
    /** ISO weekday numbers, Monday 1 to Sunday 7. */
    weekend: z
      .array(z.int(weekday).min(1, weekday).max(7, weekday))
      .max(6, "must leave at least one day on which the team works")
      .refine((days) => new Set(days).size === days.length, "must name each day once"),
    /** Holidays on the same day of every year, as month and day. */
    everyYear: z
      .array(
        z.strictObject({
          day: z.string().refine(
            // In a leap year every day that exists is a day.
            (day) => /^\d\d-\d\d$/.test(day) && isoDate.safeParse(`2028-${day}`).success,
            "must be a month and a day such as 12-16",
          ),
          holiday: key,
        }),
      )
      .superRefine(once(({ day }) => day))
      .default([]),
    /** Holidays of one year. One that stands in both lists is the one that is given here. */
    holidays: z
      .array(z.strictObject({ date: isoDate, holiday: key }))
      .superRefine(once(({ date }) => date)),
    /** Weekend days or holidays on which the campus works all the same. */
    workingDays: z
      .array(z.strictObject({ date: isoDate, reason: words }))
      .superRefine(once(({ date }) => date))
      .default([]),
    /** What each holiday is called, by language. */
    names: z.record(key, wordsByLanguage),
  })
  .superRefine((calendar, context) => {
    for (const list of ["everyYear", "holidays"] as const) {
      for (const [index, { holiday }] of calendar[list].entries()) {
        if (holiday in calendar.names) continue;
        const message = `${holiday} has no name`;
        context.addIssue({ code: "custom", path: [list, index, "holiday"], message });
      }
    }
  });
export type CampusCalendar = z.input<typeof calendarSchema>;

const dataKindWords = z.strictObject({
  kind: words,
  examples: words,
  /** Deleted: when, if not with the account. Kept: for how long. */
  when: words.optional(),
  /** Why it is kept. */
  why: words.optional(),
});

const dataKindSchema = z.strictObject({
  key,
  /** Where it lies. */
  store: key,
  accounts: z.array(z.enum(["User", "Rider"])).min(1),
  onDeletion: z.enum(["deleted", "kept"]),
  /** Of former times, and read by nobody. */
  holds: z.unknown().optional(),
  words: z.record(languageCode, dataKindWords),
});
type DataKindSetting = z.infer<typeof dataKindSchema>;

/** The place's own page of an account, which the desk opens; `{address}` stands where the person's address goes. */
const adminPage = z
  .url({
    protocol: /^https?$/,
    error: "must be an address such as https://admin.example/users?q={address}",
  })
  .max(300);

const onceByKey = once(({ key }: { key: string }) => key);

/** How an account is deleted there, for the operator who does it. */
const how = z.record(
  languageCode,
  words.refine((text) => (text.match(/[.!?।]+(?=\s|$)/g)?.length ?? 0) <= 2, {
    error: "must be two sentences at most",
  }),
);

const store = {
  key,
  adminPage: adminPage.optional(),
  how: how.optional(),
  words: wordsByLanguage,
};

/** This website, which forgets a request by itself. What it is called, and what it holds, the product's words say. */
const website = { key: "deletion-page", holder: "this-site", words: {} } as const;

/** What lists of former times tell of this website themselves, in their own words and under keys of their own. */
const toldFormerly: readonly string[] = ["deletion-request", "proof"] satisfies Kind[];

export const dataListSchema = z
  .strictObject({
    stores: z
      .array(
        z.discriminatedUnion("holder", [
          z.strictObject({ ...store, holder: z.enum(["us", website.holder]) }),
          z.strictObject({
            ...store,
            /** Somebody else, who is told of the erasure (GDPR 17(2) and 19, CCPA 7022). */
            holder: z.literal("recipient"),
            /** By an operator for each account, or by itself, such as a copy that is overwritten in turn. */
            told: z.enum(["by-operator", "by-itself"]),
          }),
        ]),
      )
      .min(1)
      .transform((stores): typeof stores => {
        const isThere = stores.some(({ holder }) => holder === website.holder);
        return isThere ? stores : [...stores, website];
      })
      .superRefine(onceByKey),
    backupDays: z.int().min(0).max(365),
    kinds: z.array(dataKindSchema).min(1).superRefine(onceByKey),
    ownershipProofs: z
      .array(
        z.strictObject({
          key,
          words: wordsByLanguage,
          /** How its person is asked for it, as a line of a list. */
          ask: wordsByLanguage.optional(),
        }),
      )
      .min(1)
      .superRefine(onceByKey),
  })
  .superRefine((list, context) => {
    const refuse = (message: string, ...path: (string | number)[]) =>
      context.addIssue({ code: "custom", path, message });
    for (const [index, { store, onDeletion, words }] of list.kinds.entries()) {
      if (!list.stores.some(({ key }) => key === store)) {
        refuse(`${store} is none of the stores`, "kinds", index, "store");
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
      const isTold = list.kinds.some((row) => row.store === store && row.onDeletion === onDeletion);
      if (isTold && toldFormerly.includes(key)) return [];
      return [{ key, store, accounts: ["User", "Rider"], onDeletion, words: {} }];
    });
    return { ...list, kinds: [...list.kinds, ...held] };
  });
export type DataListSetting = z.infer<typeof dataListSchema>;

/** A kind of data in one language. */
export type DataKind = Omit<DataKindSetting, "words"> &
  z.infer<typeof dataKindWords> & {
    /** Where it lies, in words. */
    place: string;
  };
