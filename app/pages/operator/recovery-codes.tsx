/** Codes to write down or print, each on a line of its own. */
export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  if (codes.length === 0) return null;
  return (
    <ol className="desk-codes">
      {codes.map((code) => (
        <li key={code}>
          <code>{code}</code>
        </li>
      ))}
    </ol>
  );
}
