/** Due dates as a calendar that other programs read (RFC 5545). Nothing in it tells an address. */

export type CalendarEntry = {
  /** The same for the same request whenever it is read, so that a program moves an entry instead of adding one. */
  uid: string;
  /** The day, all of it. */
  date: Temporal.PlainDate;
  title: string;
  text: string;
  url: string;
};

/** How often a program should look for changes: due dates move seldom, and programs in a thousand do not all obey. */
const refreshEvery = "PT4H";

export function writeCalendarFile(
  calendar: { name: string; entries: readonly CalendarEntry[] },
  writtenAt: Temporal.Instant,
): string {
  const stamp = toUtc(writtenAt);
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//campus ride-share//due dates//EN",
    "CALSCALE:GREGORIAN",
    "METHOD:PUBLISH",
    // RFC 7986, and what programs before it read.
    `NAME:${escapeText(calendar.name)}`,
    `X-WR-CALNAME:${escapeText(calendar.name)}`,
    `REFRESH-INTERVAL;VALUE=DURATION:${refreshEvery}`,
    `X-PUBLISHED-TTL:${refreshEvery}`,
    ...calendar.entries.flatMap((entry) => [
      "BEGIN:VEVENT",
      `UID:${escapeText(entry.uid)}`,
      `DTSTAMP:${stamp}`,
      // Whole days have no time zone: the campus's day is meant wherever it is read. The end is the day after.
      `DTSTART;VALUE=DATE:${toDate(entry.date)}`,
      `DTEND;VALUE=DATE:${toDate(entry.date.add({ days: 1 }))}`,
      `SUMMARY:${escapeText(entry.title)}`,
      `DESCRIPTION:${escapeText(entry.text)}`,
      `URL:${entry.url}`,
      "CLASS:PRIVATE",
      // Somebody with work due is not busy all day.
      "TRANSP:TRANSPARENT",
      "END:VEVENT",
    ]),
    "END:VCALENDAR",
  ];
  return lines.map((line) => `${fold(line)}\r\n`).join("");
}

function toDate(date: Temporal.PlainDate): string {
  return date.toString().replaceAll("-", "");
}

function toUtc(at: Temporal.Instant): string {
  return at.toString({ smallestUnit: "second" }).replace(/[-:]/g, "");
}

/** RFC 5545 section 3.3.11. Other control characters have no place in a text. */
function escapeText(text: string): string {
  return (
    text
      .replace(/[\\;,]/g, (sign) => `\\${sign}`)
      .replace(/\r\n|\r|\n/g, "\\n")
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
      .replace(/[\u0000-\u001f\u007f]/g, " ")
  );
}

/** RFC 5545 section 3.1: no line is longer than 75 octets; one that goes on begins with a space, which counts. */
const longestLine = 75;

function fold(line: string): string {
  let folded = "";
  let octets = 0;
  for (const sign of line) {
    const length = Buffer.byteLength(sign);
    if (octets + length > longestLine) {
      folded += "\r\n ";
      octets = 1;
    }
    folded += sign;
    octets += length;
  }
  return folded;
}
