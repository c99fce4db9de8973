import { Fragment } from "react";
import { shortAddress } from "../../server/platform/addresses/short-address.ts";
import { BorrowedText, Text } from "./text.tsx";

const addresses = /([^\s@<>]+@[^\s@<>]*[^\s@<>.,;:?!)\u0964])/;

/**
 * Renders text with its email addresses marked as not translatable. A `wbr` lets a long address
 * break after its @. Unlike a break made with CSS, a `wbr` adds no space for copying, search or
 * screen readers.
 */
export function WithAddresses({ text }: { text: string }) {
  return <BorrowedText text={text} print={markAddresses} />;
}

const markAddresses = (text: string) =>
  text.split(addresses).map((part, index) => {
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other identity
    if (index % 2 === 0) return <Text key={index}>{part}</Text>;
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

/**
 * Wraps each date in an element so that styles can keep the date, its year and trailing
 * punctuation on one line. With a no-break space instead, the line couldn't break even in text
 * enlarged to 200%.
 */
export function WithDates({ text, className }: { text: string; className: string | undefined }) {
  const markDates = (words: string) =>
    words.split(/(\S+\u00a0\S+ \p{Nd}{4}\S*)/u).map((part, index) =>
      index % 2 === 0 ? (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other identity
        <Text key={index}>{part}</Text>
      ) : (
        <span key={part} className={className}>
          {part}
        </span>
      ),
    );
  return <BorrowedText text={text} print={markDates} />;
}

/**
 * Renders a URL without its scheme, for visitors to type. Lines can break before dots and slashes,
 * as style guides recommend. The element around it needs `dir="ltr"`.
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
