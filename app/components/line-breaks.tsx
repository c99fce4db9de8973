import { Fragment } from "react";
import { shortAddress } from "../../server/platform/addresses/short-address.ts";

const addresses = /([^\s@<>]+@[^\s@<>]*[^\s@<>.,;:?!)\u0964])/;

/**
 * Renders text in which email addresses are marked as untranslated and, if long, can break after
 * the @. Uses `wbr`, so that copying, search and screen readers get the address in one piece;
 * screen readers would read a break made by styles as a space.
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
 * Renders text so that styles can keep a date, its year and the following character together.
 * No-break spaces would prevent the line break even with text at 200%.
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

/**
 * Renders a URL for visitors to type, without its scheme. Breaks it before dots and slashes, as
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
