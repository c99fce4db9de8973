import { Fragment } from "react";
import { shortAddress } from "../../server/addresses/short-address.ts";

/**
 * Text in which a long e-mail address may break behind its @. What is copied and searched stays the same, and what is
 * read: a break that styles hide would be read as a space.
 */
export function WithAddresses({ text }: { text: string }) {
  const isShort = text
    .split(" ")
    .every((word) => !word.includes("@") || word.length <= shortAddress);
  if (isShort) return text;
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

/**
 * Text in which a day and its year may be held together by styles, with what stands behind them without a space. No-break
 * spaces would not let them break at all, in letters of twice the size.
 */
export function WithDates({ text, className }: { text: string; className: string | undefined }) {
  return text.split(/(\S+\u00a0\S+ \p{Nd}{4}\S*)/u).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <span key={part} className={className}>
        {part}
      </span>
    ),
  );
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
