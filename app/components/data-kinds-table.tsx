import type { ReceiptLine } from "../../server/deletion-requests/presenters/receipt.ts";
import { useWords } from "../words.ts";
import styles from "./data-kinds-table.module.css";
import { MixedText } from "./mixed-text.tsx";
import prose from "./prose.module.css";

/**
 * Renders the table of deleted and retained data from the list that the policy and the emails also
 * use.
 * @param lines what happened to one requester's data; if undefined, the table shows the general
 * rules
 */
export function DataKindsTable({ lines }: { lines?: readonly ReceiptLine[] }) {
  const { dataKinds, deletion, dates } = useWords();
  const { table } = deletion;
  const said = { fate: table.columns.fate, ...table, ...(lines && table.onReceipt) };
  const rows =
    lines ??
    dataKinds.map((row): ReceiptLine => {
      const { onDeletion, when, why } = row;
      return { row, outcome: onDeletion, when, why };
    });
  return (
    <div className={prose.prose}>
      <div className={`table-frame stacked ${styles.kinds}`}>
        <table>
          <caption>{said.caption}</caption>
          <thead>
            <tr>
              <th scope="col">{table.columns.kind}</th>
              <th scope="col">{lines ? table.columns.place : table.columns.accounts}</th>
              <th scope="col">{said.fate}</th>
              <th scope="col">{table.columns.period}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ row, outcome, when, why }) => (
              <tr key={`${row.store}/${row.key}`}>
                <th scope="row">
                  <MixedText text={row.kind} />
                  <span className={`soft ${styles.examples}`}>
                    <MixedText text={row.examples} />
                  </span>
                </th>
                <td data-label={lines ? table.columns.place : table.columns.accounts}>
                  {lines ? (
                    <MixedText text={row.place} />
                  ) : (
                    dates.list(row.accounts.map((one) => table.accounts[one]))
                  )}
                  {lines ? null : (
                    <span className={`soft ${styles.examples}`}>
                      <MixedText text={row.place} />
                    </span>
                  )}
                </td>
                <td>
                  {/* Data due for deletion looks like deleted data but has another label. */}
                  <span className={styles[outcome === "due" ? "deleted" : outcome]}>
                    {said[outcome]}
                  </span>
                </td>
                <td>
                  {outcome === "none" ? null : <MixedText text={when ?? table.withAccount} />}
                  {why ? (
                    <span className={`soft ${styles.examples}`}>
                      <MixedText text={why} />
                    </span>
                  ) : null}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}
