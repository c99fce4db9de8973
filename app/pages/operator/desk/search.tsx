import { paths } from "../../../../server/http/paths.ts";
import { Button } from "../../../ui/button.tsx";
import field from "../../../ui/field.module.css";
import { SearchSign } from "../../../ui/icons.tsx";
import { useWords } from "../../../words.ts";
import styles from "./desk.module.css";

/** Looks for a reference or an address. It is posted, so that an address stands in no address bar, history or log. */
export function Search({ asked = "" }: { asked?: string }) {
  const { operator, to } = useWords();
  const { search } = operator.desk;
  return (
    <search>
      <form method="post" action={to(paths.operator)} className={`${field.field} ${styles.search}`}>
        <label className="visually-hidden" htmlFor="search">
          {search.label}
        </label>
        <input
          id="search"
          name="search"
          type="search"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder={search.label}
          defaultValue={asked}
          required
        />
        <Button type="submit">
          <SearchSign size={20} />
          <span className="visually-hidden">{search.button}</span>
        </Button>
      </form>
    </search>
  );
}
