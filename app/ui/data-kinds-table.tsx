import { useWords } from "../words.ts";
import styles from "./data-kinds-table.module.css";

/** What is deleted and what is kept, from the one list that the policy and the mails read too. */
export function DataKindsTable() {
  const { dataKinds, deletion } = useWords();
  const { table } = deletion;
  return (
    <table className={styles.table}>
      <caption>{table.caption}</caption>
      <thead>
        <tr>
          <th scope="col">{table.columns.kind}</th>
          <th scope="col">{table.columns.accounts}</th>
          <th scope="col">{table.columns.fate}</th>
          <th scope="col">{table.columns.period}</th>
        </tr>
      </thead>
      <tbody>
        {dataKinds.map((row) => (
          <tr key={row.key}>
            <th scope="row">
              {row.kind}
              <span className={styles.examples}>{row.examples}</span>
            </th>
            <td className={styles.accounts} data-label={table.columns.accounts}>
              {row.accounts.map((account) => table.accounts[account]).join(", ")}
            </td>
            <td className={styles.fate}>
              <span className={row.onDeletion === "kept" ? styles.kept : styles.deleted}>
                {row.onDeletion === "kept" ? table.kept : table.deleted}
              </span>
            </td>{" "}
            <td className={styles.period}>
              {row.when ?? table.withAccount}
              {row.why ? <span className={styles.examples}>{row.why}</span> : null}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
