import { type ReactNode, use } from "react";
import { useLocation } from "react-router";
import { paths } from "../../../server/platform/http/paths.ts";
import { ButtonLink } from "../../components/button.tsx";
import fringe from "../../components/fringe.module.css";
import { Picture } from "../../components/picture.tsx";
import { Text } from "../../components/text.tsx";
import { RequestIdContext } from "../../document/request-id.ts";
import { isOffered } from "../../sections.ts";
import { pathAt, useWords } from "../../words.ts";
import styles from "./notice-page.fault.module.css";

/** Renders the page for an unknown URL or a failure, without technical details. */
export function ErrorPage({ notFound }: { notFound: boolean }) {
  const { interface: labels, deletion, to } = useWords();
  const { error, nav } = labels;
  const location = useLocation();
  const reference = use(RequestIdContext);
  const ways = [
    [paths.faq, nav.faq],
    [paths.blog, nav.blog],
    [paths.deletion, deletion.title],
  ] as const;
  return (
    <NoticePage
      picture={notFound ? "lost-page" : "flat-tyre"}
      title={notFound ? error.notFoundTitle : error.title}
      text={notFound ? error.notFoundText : error.faultText}
    >
      {!notFound && pathAt(location) === paths.deletion ? (
        <p>
          <Text>{error.sent}</Text>
        </p>
      ) : null}
      <div className="row">
        {notFound ? null : (
          <ButtonLink href={location.pathname + location.search} variant="primary">
            {error.reload}
          </ButtonLink>
        )}
        <ButtonLink href={to(paths.landing)} variant={notFound ? "primary" : "plain"}>
          {error.home}
        </ButtonLink>
        {notFound
          ? ways
              .filter(([path]) => isOffered(path))
              .map(([path, name]) => (
                <ButtonLink key={path} href={to(path)}>
                  {name}
                </ButtonLink>
              ))
          : null}
      </div>
      <p dangerouslySetInnerHTML={{ __html: error.help }} />
      {notFound ? (
        <p className="soft">
          404: <Text>{error.title}</Text>
        </p>
      ) : null}
      {!notFound && reference ? (
        <p className="soft">
          <Text>{error.reference}</Text> <bdi>{reference}</bdi>
        </p>
      ) : null}
    </NoticePage>
  );
}

/**
 * Renders a notice page: a drawing as tall as the page, an explanation, and links or buttons
 * (`children`).
 */
export function NoticePage({
  picture,
  title,
  text,
  children,
}: {
  picture: string;
  title: string;
  text: string;
  children: ReactNode;
}) {
  return (
    <section className={`stack ${styles.page}`}>
      <div className={`${styles.picture} ${fringe.rani} ${fringe.fringe} ${fringe.side}`}>
        <Picture name={picture} alt="" eager />
      </div>
      <div className={`stack ${styles.words}`}>
        <h1>
          <Text>{title}</Text>
        </h1>
        <p className={styles.text}>
          <Text>{text}</Text>
        </p>
        {children}
      </div>
    </section>
  );
}
