import { Fragment } from "react";

/**
 * Text in which an e-mail address breaks behind its @ where letters are large on a small screen (`seldom.css`), and
 * nowhere else. What is read, copied and searched stays the same.
 */
export function WithAddresses({ text }: { text: string }) {
  const [first, ...rest] = text.split("@");
  return (
    <>
      {first}
      {rest.map((part) => (
        <span key={part}>
          @<wbr hidden />
          {part}
        </span>
      ))}
    </>
  );
}

/** The same for HTML made from Markdown: the addresses that its links to mailboxes show. */
export function breakAddresses(html: string): string {
  return html.replace(/(<a href="mailto:[^>]*>[^<@]+@)(?=[^<]+<\/a>)/g, "$1<wbr hidden>");
}

/** A page's address to be typed, without its scheme: it breaks before its dots and strokes, as style guides have it. */
export function WebAddress({ url }: { url: string }) {
  return url
    .replace("https://", "")
    .split(/(?=[./])/)
    .map((part, index) => (
      <Fragment key={part}>
        {index > 0 && <wbr />}
        {part}
      </Fragment>
    ));
}
