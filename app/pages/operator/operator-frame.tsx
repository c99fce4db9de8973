import { pictures } from "virtual:pictures";
import type { ReactNode } from "react";
import {
  isRouteErrorResponse,
  type MetaArgs,
  type MetaDescriptor,
  useRouteLoaderData,
} from "react-router";
import { paths } from "../../../server/platform/http/paths.ts";
import type { Operator } from "../../../server/team/roster/operators.ts";
import { ButtonLink } from "../../components/button.tsx";
import { FiguresSign, HealthSign, MoreSign, TodaySign } from "../../components/icons.tsx";
import { documentTitle } from "../../document/page-meta.ts";
import type { loader } from "../../root.tsx";
import "../../components/field.module.css";
import notice from "../../components/notice.module.css";
import "../../components/panel.css";
import "../../components/prose.module.css";
import { Picture } from "../../components/picture.tsx";
import { type PageWords, pathAt, usePath, useWords, wordsAt } from "../../words.ts";
import "./desk/desk.module.css";
import { Text } from "../../components/text.tsx";

/**
 * Frame of every operator page: title, navigation and content. All pages share one stylesheet,
 * because the script replaces only their content.
 */

type NavigationLink = {
  name: keyof PageWords["operator"]["frame"]["pages"];
  path: string;
  Sign?: typeof TodaySign;
  admin?: true;
};

/** Main links, within reach of the thumb. The others are under "More". */
const main: readonly NavigationLink[] = [
  { name: "today", path: paths.operator, Sign: TodaySign },
  { name: "health", path: paths.operatorHealth, Sign: HealthSign },
  { name: "figures", path: paths.operatorFigures, Sign: FiguresSign },
];

const more: readonly NavigationLink[] = [
  { name: "newRequest", path: paths.operatorNewRequest },
  { name: "subject", path: paths.operatorSubject },
  { name: "me", path: paths.operatorMe },
  { name: "people", path: paths.operatorPeople, admin: true },
  { name: "handOver", path: paths.operatorHandOver, admin: true },
  { name: "history", path: paths.operatorHistory, admin: true },
];

const doors: readonly NavigationLink[] = [
  { name: "signIn", path: paths.operatorSignIn },
  { name: "enrol", path: paths.operatorEnrol },
];

type Around = {
  /** The signed-in operator, or undefined before sign-in. */
  operator?: Pick<Operator, "name" | "role"> | undefined;
  notice?: ReactNode;
};

export function OperatorFrame({ operator, notice, children }: Around & { children: ReactNode }) {
  const site = useRouteLoaderData<typeof loader>("root");
  const { settings, operator: words, to } = useWords();
  return (
    <div className="desk-frame">
      <header>
        <div className="desk-bar row">
          <a className="desk-mark target display" href={to(paths.operator)}>
            <img src={pictures.icon?.url} alt="" width="32" height="32" />
            <span>
              <Text>{settings.product}</Text>{" "}
              <b className="soft">
                <Text>{words.frame.title}</Text>
              </b>
            </span>
          </a>
          {operator ? <Navigation operator={operator} /> : null}
        </div>
        {site?.isDrill ? (
          <p className="soft">
            <Text>{words.frame.drill}</Text>
          </p>
        ) : null}
        {notice}
      </header>
      <main id="content" tabIndex={-1} className="desk-main page-width">
        {children}
      </main>
      <Unreached />
    </div>
  );
}

function Navigation({ operator }: { operator: NonNullable<Around["operator"]> }) {
  const { operator: words, to, say } = useWords();
  const { pages } = words.frame;
  const current = usePath();
  const links = more.filter(({ admin }) => !admin || operator.role === "admin");
  const isBehind = links.some(({ path }) => path === current);
  const link = ({ name, path, Sign }: NavigationLink) => (
    <li key={name}>
      <a href={to(path)} aria-current={path === current ? "page" : undefined}>
        {Sign ? <Sign size={22} /> : null}
        <Text>{pages[name].title}</Text>
      </a>
    </li>
  );
  return (
    <nav className="desk-nav" aria-label={words.frame.nav}>
      <ul>
        {main.map(link)}
        <li>
          <button
            type="button"
            popoverTarget="operator-more"
            aria-current={isBehind ? "true" : undefined}
          >
            <MoreSign size={22} />
            <Text>{words.frame.more}</Text>
          </button>
        </li>
      </ul>
      <div id="operator-more" className="desk-more frame" popover="auto">
        <p className="soft">
          <Text>{say(words.frame.signedInAs, { name: operator.name })}</Text>
        </p>
        <ul>
          {links.map(link)}
          <li>
            <form method="post" action={to(paths.operatorMe)}>
              <button type="submit" name="act" value="sign-out">
                <Text>{words.door.signOut.button}</Text>
              </button>
            </form>
          </li>
        </ul>
      </div>
    </nav>
  );
}

/** Renders the message that the script shows on the current page if a form gets no response. */
function Unreached() {
  const { problems } = useWords().operator.desk;
  return (
    <template id="unreached">
      <NoticeBox tone="danger">
        <h2>
          <Text>{problems.unknownTitle}</Text>
        </h2>
        <p>
          <Text>{problems.offline}</Text>{" "}
          <span data-typed="">
            <Text>{problems.stillHere}</Text>
          </span>
        </p>
      </NoticeBox>
    </template>
  );
}

/**
 * Attributes of the element with the last act's result. `operator.script.ts` focuses it when the
 * page loads.
 */
export const noticeHere = { id: "told", role: "status", tabIndex: -1 } as const;

export function NoticeBox(props: { tone: "danger" | "know" | "success"; children: ReactNode }) {
  const { tone, children } = props;
  return (
    <div
      {...noticeHere}
      className={`frame ${tone === "success" ? "row" : ""} ${notice.notice} ${notice[tone]} desk-told`}
      role={tone === "danger" ? "alert" : noticeHere.role}
    >
      {children}
    </div>
  );
}

function titleAt({ operator }: PageWords, current: string): string {
  const name = [...main, ...more, ...doors].find(({ path }) => path === current)?.name;
  return name ? operator.frame.pages[name].title : "";
}

/** Returns the metadata of an operator page. The title of a request's page is the reference. */
export function operatorMeta({ error, location, matches, params }: MetaArgs): MetaDescriptor[] {
  if (error) return matches[0]?.meta ?? [];
  const words = wordsAt(location);
  return [
    { title: documentTitle(words, params.id ?? titleAt(words, pathAt(location))) },
    { name: "robots", content: "noindex, nofollow" },
  ];
}

export function OperatorPage({
  title,
  about,
  children,
}: {
  /** Heading that replaces the page's name. */
  title?: ReactNode;
  about?: ReactNode;
  children?: ReactNode;
}) {
  const words = useWords();
  const path = usePath();
  return (
    <>
      <header className="desk-heading stack">
        <h1>
          <Text>{title ?? titleAt(words, path)}</Text>
        </h1>
        {about ? (
          <p className="soft">
            <Text>{about}</Text>
          </p>
        ) : null}
      </header>
      {children}
    </>
  );
}

/** Renders a page with little text and a button, next to a drawing if the window is wide enough. */
export function WithPicture({
  name,
  children,
}: {
  /** Drawings for sign-in, protected data, no work left, not found and failure, in this order. */
  name: "step-1" | "safety" | "parked-bike" | "lost-page" | "flat-tyre";
  children: ReactNode;
}) {
  return (
    <div className="desk-pictured columns">
      <div>{children}</div>
      <Picture name={name} alt="" />
    </div>
  );
}

/** Renders the error page for operators, after a failure or without permission. */
export function OperatorFault({ error, ...around }: Around & { error: unknown }) {
  const { operator: words, to } = useWords();
  const { fault, notFound, adminsOnly } = words.frame;
  const status = isRouteErrorResponse(error) ? error.status : 500;
  const { title, text } = status === 404 ? notFound : status === 403 ? adminsOnly : fault;
  const picture = status === 404 ? "lost-page" : status === 403 ? "safety" : "flat-tyre";
  return (
    <OperatorFrame {...around}>
      <WithPicture name={picture}>
        <OperatorPage title={title} about={text}>
          <ButtonLink href={to(paths.operator)}>{fault.today}</ButtonLink>
        </OperatorPage>
      </WithPicture>
    </OperatorFrame>
  );
}
