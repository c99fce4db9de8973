import { Button } from "../../ui/button.tsx";
import { useWords } from "../../words.ts";

/** Codes to keep: each on a line of its own, and all of them copied, saved as a file or printed by a button. */
export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const { codes: words } = useWords().operator.door;
  if (codes.length === 0) return null;
  const text = `${codes.join("\n")}\n`;
  return (
    <>
      <ol className="columns lines">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <p className="desk-buttons row">
        <Button data-copy={text} data-says={words.copied}>
          {words.copy}
        </Button>
        <a
          className="target"
          download="recovery-codes.txt"
          href={`data:text/plain,${encodeURIComponent(text)}`}
        >
          {words.save}
        </a>
        <Button data-print="">{words.print}</Button>
        <span role="status" />
      </p>
    </>
  );
}
