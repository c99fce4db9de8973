import { useLocation } from "react-router";
import { paths } from "../../../server/http/paths.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { breakAddresses } from "../../ui/line-breaks.tsx";
import { useWords } from "../../words.ts";
import { NoticePage } from "./notice-page.tsx";

/** What a visitor sees when an address leads nowhere or a page fails. It never shows why in technical words. */
export function ErrorPage({ notFound }: { notFound: boolean }) {
  const { interface: labels, to } = useWords();
  const { error } = labels;
  const { pathname, search } = useLocation();
  return (
    <NoticePage
      picture="flat-tyre"
      title={error.title}
      text={notFound ? error.notFoundText : error.faultText}
    >
      {!notFound && pathname === paths.deletion ? <p>{error.sent}</p> : null}
      <div className="row">
        {notFound ? null : (
          <ButtonLink href={pathname + search} look="primary">
            {error.reload}
          </ButtonLink>
        )}
        <ButtonLink href={to(paths.landing)} look={notFound ? "primary" : "plain"}>
          {error.home}
        </ButtonLink>
      </div>
      <p dangerouslySetInnerHTML={{ __html: breakAddresses(error.help) }} />
    </NoticePage>
  );
}
