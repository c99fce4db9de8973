import type { ReceiptLine } from "../../server/deletion-requests/presenters/receipt.ts";
import { useWords } from "../words.ts";
import styles from "./data-kinds-table.module.css";
import prose from "./prose.module.css";
import { Text } from "./text.tsx";

/**
 * Renders the table of deleted and retained data from the list that the policy and the emails also
 * use.
 * @param lines what happened to one requester's data; if undefined, the table shows the general
 * rules
 */
export function DataKindsTable({ lines }: { lines?: readonly ReceiptLine[] }) {
  const { dataKinds, deletion, dates } = useWords();
  const { table } = deletion;
  const labels = { fate: table.columns.fate, ...table, ...(lines && table.onReceipt) };
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
          <caption>
            <Text>{labels.caption}</Text>
          </caption>
          <thead>
            <tr>
              <th scope="col">
                <Text>{table.columns.kind}</Text>
              </th>
              <th scope="col">
                <Text>{lines ? table.columns.place : table.columns.accounts}</Text>
              </th>
              <th scope="col">
                <Text>{labels.fate}</Text>
              </th>
              <th scope="col">
                <Text>{table.columns.period}</Text>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ row, outcome, when, why }) => (
              <tr key={`${row.store}/${row.key}`}>
                <th scope="row">
                  <Text>{row.kind}</Text>
                  <span className={`soft ${styles.examples}`}>
                    <Text>{row.examples}</Text>
                  </span>
                </th>
                <td data-label={lines ? table.columns.place : table.columns.accounts}>
                  {lines ? (
                    <Text>{row.place}</Text>
                  ) : (
                    <Text>
                      {dates.list(row.accounts.map((account) => table.accounts[account]))}
                    </Text>
                  )}
                  {lines ? null : (
                    <span className={`soft ${styles.examples}`}>
                      <Text>{row.place}</Text>
                    </span>
                  )}
                </td>
                <td>
                  {/* Data due for deletion looks like deleted data but has another label. */}
                  <span className={styles[outcome === "due" ? "deleted" : outcome]}>
                    <Text>{labels[outcome]}</Text>
                  </span>
                </td>
                <td>
                  {outcome === "none" ? null : <Text>{when ?? table.withAccount}</Text>}
                  {why ? (
                    <span className={`soft ${styles.examples}`}>
                      <Text>{why}</Text>
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
