import { pictures } from "virtual:pictures";
import { type ReactNode, use } from "react";
import { isRouteErrorResponse, Meta, Outlet, useMatches } from "react-router";
import type { Route } from "./+types/root";
import { Text } from "./components/text.tsx";
import "virtual:campus/theme.css";
import "./components/base.css";
import headingFont from "virtual:campus/heading-font";
import { paths } from "../server/platform/http/paths.ts";
import deferredStyles from "./components/deferred.css?url";
import { Notices } from "./components/notices.tsx";
import { SiteFooter } from "./components/site-footer.tsx";
import { SiteHeader } from "./components/site-header.tsx";
import { readHandles } from "./document/page-handle.ts";
import { findAddedStyles, StylesContext } from "./document/styles.ts";
import { TodayContext } from "./document/today.ts";
import { ErrorPage } from "./pages/errors/error-page.tsx";
import operatorScript from "./pages/operator/operator.script.ts?island";
import { isOffered } from "./sections.ts";
import { servicesContext } from "./services-context.ts";
import { usePath, useWords, wordsAt } from "./words.ts";

export function loader({ context }: Route.LoaderArgs) {
  const { publicUrl, isDrill } = context.get(servicesContext);
  return { publicUrl, isDrill };
}

export function meta({ error, location }: Route.MetaArgs) {
  if (!error) return [];
  const { interface: labels, settings } = wordsAt(location);
  const { notFoundTitle, title } = labels.error;
  const name = isRouteErrorResponse(error) && error.status === 404 ? notFoundTitle : title;
  return [{ title: `${name} · ${settings.product}` }, { name: "robots", content: "noindex" }];
}

export function Layout({ children }: { children: ReactNode }) {
  const path = usePath();
  const matches = useMatches();
  const { isOperators, scripts } = readHandles(matches);
  const { settings, interface: labels, dir, notices } = useWords();
  const { inside, footer } = use(StylesContext);
  const today = use(TodayContext);
  // The page cache evicts a page when one of its notices ends.
  const current = notices.filter(({ until }) => until >= today.toString());
  return (
    <html lang={settings.language} dir={dir}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <Meta />
        {import.meta.env.DEV ? (
          <DevelopmentHead
            path={matches.length > 1 ? path : paths.landing}
            language={settings.language}
          />
        ) : (
          inside !== "" && <style dangerouslySetInnerHTML={{ __html: inside }} />
        )}
        <link rel="preload" as="font" href={headingFont} crossOrigin="" />
        <link
          rel="stylesheet"
          href={deferredStyles}
          media="print,(width<18rem),(width>=112.5rem),(prefers-contrast:more)"
        />
        <link rel="icon" href={pictures.icon?.url} />
        <link rel="apple-touch-icon" href={pictures["touch-icon"]?.url} />
        {isOperators ? <script type="module" src={operatorScript} /> : <PublicLinks />}
      </head>
      <body>
        <a className="skip-link" href="#content">
          <Text>{labels.skipLink}</Text>
        </a>
        {isOperators ? (
          children
        ) : (
          <>
            <Notices notices={current} />
            <SiteHeader />
            <main id="content" tabIndex={-1}>
              {children}
            </main>
            {footer !== "" && <link rel="stylesheet" href={footer} />}
            <SiteFooter year={today.year} />
            {scripts.map((script) => (
              <script key={script} dangerouslySetInnerHTML={{ __html: script }} />
            ))}
          </>
        )}
      </body>
    </html>
  );
}

/** Links for feed readers and other programs, in the head of public pages. */
function PublicLinks() {
  const { interface: labels, to } = useWords();
  return (
    <>
      <link rel="manifest" href={to(paths.manifest)} />
      {isOffered(paths.feed) && (
        <link
          rel="alternate"
          type="application/atom+xml"
          title={labels.blog.title}
          href={to(paths.feed)}
        />
      )}
    </>
  );
}

/** Development only: the page's styles and the live-reload script. */
function DevelopmentHead({ path, language }: { path: string; language: string }) {
  return (
    <>
      <link rel="stylesheet" href={`/@react-router/critical.css?pathname=${path}`} />
      <style>{findAddedStyles(language)}</style>
      <script type="module" src="/@vite/client" />
      <script type="module" src="/@id/__x00__virtual:react-router/inject-hmr-runtime" />
    </>
  );
}

export default function Root() {
  return <Outlet />;
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <ErrorPage notFound={isRouteErrorResponse(error) && error.status === 404} />;
}
