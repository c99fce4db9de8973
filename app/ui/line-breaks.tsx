/**
 * Text in which an e-mail address breaks behind its @, where it is too long for its line. What is read, copied and
 * searched stays the same.
 */
export function WithAddresses({ text }: { text: string }) {
  const [first, ...rest] = text.split("@");
  return (
    <>
      {first}
      {rest.map((part) => (
        <span key={part}>
          @<wbr />
          {part}
        </span>
      ))}
    </>
  );
}

/** The same for HTML made from Markdown: the addresses that its links to mailboxes show. */
export function breakAddresses(html: string): string {
  return html.replace(/(<a href="mailto:[^>]*>[^<@]*@)/g, "$1<wbr>");
}

/** "14 Dec 2026", "29 December", "7-10 business": a number and what it counts are read as one. */
const counted = /((?:\p{Nd}+[-–])?\p{Nd}+\.? (?:[\p{L}\p{M}]{1,4}\.? \p{Nd}{4}|[\p{L}\p{M}]+))/u;

/** Text whose numbers stand in one line with what they count, where the styles around it say so for a `span`. */
export function Counted({ text }: { text: string }) {
  return text
    .split(counted)
    .map((part, place) => (place % 2 === 1 ? <span key={part}>{part}</span> : part));
}
