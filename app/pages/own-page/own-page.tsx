import { campus } from "virtual:campus";
import { data } from "react-router";
import checklist from "../../components/checklist.module.css";
import fringe from "../../components/fringe.module.css";
import { NotTranslated } from "../../components/not-translated.tsx";
import prose from "../../components/prose.module.css";
import { Text } from "../../components/text.tsx";
import type { PageHandle } from "../../document/page-handle.ts";
import { organization, pageMeta } from "../../document/page-meta.ts";
import { pathAt, useWords, wordsAt } from "../../words.ts";
import type { Route } from "./+types/own-page";
import styles from "./own-page.module.css";

const names = new Set(campus.pages.map(({ name }) => `/${name}`));

export const handle: PageHandle = {
  isThere: (path) => names.has(path),
  keptAs: ({ pathname }) => decodeURIComponent(pathname),
};

export function loader({ request, params }: Route.LoaderArgs) {
  const { pages } = wordsAt(new URL(request.url));
  const page = pages.find(({ name }) => name === params.name);
  if (!page) throw data(null, { status: 404 });
  return page;
}

export function meta({ matches, location, loaderData: page }: Route.MetaArgs) {
  if (!page) return [];
  const words = wordsAt(location);
  const { publicUrl } = matches[0].loaderData;
  const { title, description } = page;
  const path = pathAt(location);
  return pageMeta(words, {
    title,
    description,
    path,
    publicUrl,
    trail: [{ name: title, path }],
    jsonLd: [
      {
        "@type": "WebPage",
        name: title,
        description,
        url: publicUrl + words.to(path),
        inLanguage: page.language ?? words.settings.language,
        publisher: organization(words, publicUrl),
      },
    ],
  });
}

/** Renders a page that the campus wrote in Markdown. */
export default function OwnPage({ loaderData: page }: Route.ComponentProps) {
  const { inLanguage } = useWords();
  const spoken = inLanguage(page.language);
  return (
    <article className={fringe.sky}>
      <header className={`masthead ${fringe.fringe}`}>
        <div className={`page-width stack ${styles.opening}`}>
          <h1 className="headline" {...spoken}>
            <Text>{page.title}</Text>
          </h1>
          {page.language ? <NotTranslated language={page.language} /> : null}
        </div>
      </header>
      <div className={`page-width ${styles.layout}`}>
        <div
          className={`${prose.prose} ${styles.text} ${page.html.includes("<h2") ? styles.titled : ""} ${checklist.text}`}
          {...spoken}
          dangerouslySetInnerHTML={{ __html: page.html }}
        />
      </div>
    </article>
  );
}
