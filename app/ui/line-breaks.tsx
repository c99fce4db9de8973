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
  return html.replace(/(<a href="mailto:[^>]*>[^<@]+@)(?=[^<]+<\/a>)/g, "$1<wbr>");
}
