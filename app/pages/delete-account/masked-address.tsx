/** A masked address: dots for eyes, its known parts for ears. */
export function MaskedAddress({
  address,
}: {
  address: { text: string; firstLetter: string; domain: string };
}) {
  return (
    <>
      <span aria-hidden="true">{address.text}</span>
      <span className="visually-hidden">
        {address.firstLetter}… @ {address.domain}
      </span>
    </>
  );
}
