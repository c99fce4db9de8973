import { campus } from "virtual:campus";
import { paths } from "../../../server/http/paths.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { NoticePage } from "./notice-page.tsx";

/** What a visitor sees when an address leads nowhere or a page fails. It never shows why in technical words. */
export function ErrorPage({ notFound }: { notFound: boolean }) {
  const { error } = campus.interface;
  return (
    <NoticePage
      picture="flat-tyre"
      title={error.title}
      text={notFound ? error.notFoundText : error.faultText}
    >
      <ButtonLink href={paths.landing} look="primary">
        {error.home}
      </ButtonLink>
      <p dangerouslySetInnerHTML={{ __html: error.help }} />
    </NoticePage>
  );
}
