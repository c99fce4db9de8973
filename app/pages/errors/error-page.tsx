import { campus } from "virtual:campus";
import { ButtonLink } from "../../ui/button.tsx";
import { Picture } from "../../ui/picture.tsx";
import styles from "./error-page.module.css";

/** What a visitor sees when an address leads nowhere or a page fails. It never shows why in technical words. */
export function ErrorPage({ notFound }: { notFound: boolean }) {
  const { error } = campus.interface;
  return (
    <section className={`page-width ${styles.page}`}>
      <Picture name="flat-tyre" alt="" eager className={styles.picture} />
      <div className={styles.words}>
        <h1>{error.title}</h1>
        <p>{notFound ? error.notFoundText : error.faultText}</p>
        <p>
          <ButtonLink href="/" look="primary">
            {error.home}
          </ButtonLink>
        </p>
        <p dangerouslySetInnerHTML={{ __html: error.help }} />
      </div>
    </section>
  );
}
