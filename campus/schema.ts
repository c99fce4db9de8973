import { z } from "zod";

/**
 * What a campus may say about itself, field by field. Everything in `campus/` passes through these schemas when the
 * site is built and when the server starts; a mistake is reported with file, field and reason.
 */

const words = z.string().trim().min(1, "must not be empty");
const webAddress = z.url({ protocol: /^https$/, error: "must be a full https:// address" });
const isoDate = z.iso.date("must be a date such as 2027-03-10");

export const settingsSchema = z
  .strictObject({
    /** Name of the app, exactly as on its store listing. */
    product: words,
    /** Name of the developer, exactly as on the store listing. */
    developer: words,
    tagline: words,
    /** The university or college. */
    campus: words,
    city: words,
    country: words,
    /** Whose law the terms follow. */
    jurisdiction: words,
    /** Folder below `content/`, and the `lang` of every page. */
    language: z.string().regex(/^[a-z]{2}$/, "must be a two-letter language code"),
    /** Where a day begins and ends: for dates in words, and for the days that are promised. */
    timeZone: z.string().refine((zone) => {
      try {
        return Boolean(new Intl.DateTimeFormat("en", { timeZone: zone }));
      } catch {
        return false;
      }
    }, "must be an IANA time zone such as Asia/Dhaka"),
    currency: z.strictObject({ sign: words, code: z.string().length(3) }),
    /** The digital wallet that students know by name. */
    wallet: words,
    /** The one support mailbox. */
    email: z.email("must be a mail address"),
    /** For `/.well-known/security.txt` (RFC 9116): where to report a weakness of the site. */
    security: z.strictObject({
      contact: z
        .string()
        .regex(/^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/, "must begin with mailto: or https://"),
      /** The last day on which this may be relied on; less than a year ahead. The start warns before. */
      expires: isoDate,
      /** Page with the rules for reporting; empty where there is none. */
      policy: webAddress.or(z.literal("")),
    }),
    /** The number that the terms name. */
    emergency: words,
    /** The number that works here; it stands beside `emergency` wherever that is shown. */
    localEmergency: words,
    /** Shown as the date of both legal documents, such as "July 2025". */
    policyDate: z
      .string()
      .regex(/^[A-Z][a-z]+ \d{4}$/, 'must be a month and a year, such as "July 2025"'),
    /** What both legal documents say of whoever answers for the service. `docs/legal-notes.md` is for the lawyer. */
    legal: z.strictObject({
      /** The legal person that users have their agreement with. */
      person: words,
      /** Where and under which number it is registered, as the continuation of a sentence. */
      registration: words,
      /** Where letters reach it, on one line. */
      address: words,
      /** Number under which the transport authority has enlisted the service. */
      enlistment: words,
      /** Where the servers with the data stand. */
      dataLocation: words,
      arbitrationSeat: words,
    }),
    /** Business days from a confirmed request: the team's target, and the promised limit. */
    deletionBusinessDays: z
      .strictObject({ target: z.int().min(1), limit: z.int().min(1) })
      .refine((days) => days.target <= days.limit, "target must not be later than limit"),
    /** Categories of the blog, in the order of their chips; the blog opens on `defaultCategory`. */
    categories: z.array(words).min(1),
    defaultCategory: words,
    links: z.strictObject({
      download: webAddress,
      joinAsRider: webAddress,
      facebook: webAddress.or(z.literal("")),
      /** Empty: shown as text, marked as not there yet. */
      linkedin: webAddress.or(z.literal("")),
    }),
    stores: z.strictObject({
      available: z.strictObject({ name: words, operatingSystem: words, url: webAddress }),
      coming: z.strictObject({ name: words, operatingSystem: words }),
    }),
  })
  .refine((settings) => settings.categories.includes(settings.defaultCategory), {
    path: ["defaultCategory"],
    error: "must be one of the categories",
  });
export type CampusSettings = z.infer<typeof settingsSchema>;

export const calendarSchema = z
  .strictObject({
    /** ISO weekday numbers, Monday 1 to Sunday 7. */
    weekend: z.array(z.int().min(1).max(7)).max(6),
    /** Holidays on the same day of every year, as month and day. */
    everyYear: z
      .array(
        z.strictObject({
          day: z.string().refine(
            // In a leap year every day that exists is a day.
            (day) => /^\d\d-\d\d$/.test(day) && isoDate.safeParse(`2028-${day}`).success,
            "must be a month and a day such as 12-16",
          ),
          name: words,
        }),
      )
      .default([]),
    /** Holidays of one year. One that stands in both lists has the name that is given here. */
    holidays: z.array(z.strictObject({ date: isoDate, name: words })),
    /** Weekend days or holidays on which the campus works all the same. */
    workingDays: z.array(z.strictObject({ date: isoDate, reason: words })).default([]),
  })
  .superRefine((calendar, context) => {
    const twice = (list: "everyYear" | "holidays" | "workingDays", days: string[]) => {
      for (const [index, day] of days.entries()) {
        if (days.indexOf(day) < index) {
          context.addIssue({ code: "custom", path: [list, index], message: `${day} stands twice` });
        }
      }
    };
    twice(
      "everyYear",
      calendar.everyYear.map(({ day }) => day),
    );
    twice(
      "holidays",
      calendar.holidays.map(({ date }) => date),
    );
    twice(
      "workingDays",
      calendar.workingDays.map(({ date }) => date),
    );
  });
export type CampusCalendar = z.input<typeof calendarSchema>;

export const accountKinds = ["User", "Rider"] as const;

export const dataKindSchema = z
  .strictObject({
    kind: words,
    examples: words,
    accounts: z.array(z.enum(accountKinds)).min(1),
    onDeletion: z.enum(["deleted", "kept"]),
    /** Deleted: when, if not with the account. Kept: for how long. */
    when: words.optional(),
    /** Why it is kept. */
    why: words.optional(),
  })
  .refine((row) => row.onDeletion === "deleted" || (row.when && row.why), {
    error: "data that is kept needs `when` (how long) and `why`",
  });
export type DataKind = z.infer<typeof dataKindSchema>;
