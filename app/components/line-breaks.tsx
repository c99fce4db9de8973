import { Fragment } from "react";
import { shortAddress } from "../../server/platform/addresses/short-address.ts";

const addresses = /([^\s@<>]+@[^\s@<>]*[^\s@<>.,;:?!)\u0964])/;

/**
 * Renders text and marks its email addresses as not translatable. A long address can break after
 * its @, at a `wbr`: the address remains one piece for copying, searching and screen readers, which
 * would read a break made by styles as a space.
 */
export function WithAddresses({ text }: { text: string }) {
  return text.split(addresses).map((part, index) => {
    if (index % 2 === 0) return part;
    const at = part.indexOf("@") + 1;
    return (
      <span key={part} translate="no" dir="ltr">
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
 * Renders text so that styles can keep a date, its year and any punctuation after it on one line. A
 * no-break space would prevent the line break even in text enlarged to 200%.
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

/** Renders text so that styles keep each number range, such as "7-10", on one line. */
export function WithRanges({ text }: { text: string }) {
  return text.split(/(\p{Nd}+-\u2060?\p{Nd}+)/u).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <span key={part} className="range">
        {part}
      </span>
    ),
  );
}

/**
 * Renders a URL without its scheme, for visitors to type. It can break before dots and slashes, as
 * style guides recommend.
 */
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
