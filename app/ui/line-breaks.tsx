import { Fragment } from "react";
import { shortAddress } from "../../server/addresses/short-address.ts";

const addresses = /([^\s@<>]+@[^\s@<>]*[^\s@<>.,;:?!)\u0964])/;

/**
 * Text whose email addresses stay untranslated, and may break behind their @ where they are long. What is copied and
 * searched stays the same, and what is read: a break that styles hide would be read as a space.
 */
export function WithAddresses({ text }: { text: string }) {
  return text.split(addresses).map((part, index) => {
    if (index % 2 === 0) return part;
    const at = part.indexOf("@") + 1;
    return (
      <span key={part} translate="no">
        {part.length > shortAddress ? (
          <>
            {part.slice(0, at)}
            <wbr />
            {part.slice(at)}
          </>
        ) : (
          part
        )}
      </span>
    );
  });
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
