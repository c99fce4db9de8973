import { pictures } from "virtual:pictures";
import type { ReactNode } from "react";
import { useLocation } from "react-router";
import { paths } from "../../../server/http/paths.ts";
import { FiguresSign, HealthSign, MoreSign, TodaySign } from "../../ui/icons.tsx";
import { useWords } from "../../words.ts";

export type FrameOperator = { name: string; role: "operator" | "admin" };

/** The first four under the thumb, the others behind them. */
const main = [
  { name: "today", path: paths.operator, Sign: TodaySign },
  { name: "health", path: paths.operatorHealth, Sign: HealthSign },
  { name: "figures", path: paths.operatorFigures, Sign: FiguresSign },
] as const;

const more = [
  { name: "newRequest", path: paths.operatorNewRequest },
  { name: "away", path: paths.operatorAway },
  { name: "subject", path: paths.operatorSubject },
  { name: "me", path: paths.operatorMe },
  { name: "people", path: paths.operatorPeople, admin: true },
  { name: "handOver", path: paths.operatorHandOver, admin: true },
  { name: "history", path: paths.operatorHistory, admin: true },
] as const;

/** What stands around every page of operators: who is here, and the way to the other pages. */
export function OperatorFrame({
  operator,
  notice,
  children,
}: {
  /** Undefined at the door. */
  operator?: FrameOperator | undefined;
  /** What stands above every page while it is so. */
  notice?: ReactNode;
  children: ReactNode;
}) {
  const { settings, operator: words, to } = useWords();
  return (
    <div className="desk-frame">
      <header>
        <div className="desk-bar">
          <a className="desk-mark" href={to(paths.operator)}>
            <img src={pictures.icon?.url} alt="" width="64" height="64" />
            <span>
              {settings.product} <b>{words.frame.title}</b>
            </span>
          </a>
          {operator ? <Navigation operator={operator} /> : null}
        </div>
        {notice}
      </header>
      <main id="content" tabIndex={-1} className="desk-main">
        {children}
      </main>
      <Unreached />
    </div>
  );
}

export function Drill() {
  return <p className="desk-drill">{useWords().operator.frame.drill}</p>;
}

function Navigation({ operator }: { operator: FrameOperator }) {
  const { operator: words, to, say } = useWords();
  const { pages } = words.frame;
  const { pathname } = useLocation();
  const current = (path: string) => (pathname === path ? "page" : undefined);
  const others = more.filter((one) => !("admin" in one) || operator.role === "admin");
  const isBehind =
    pathname === paths.operatorSignOut || others.some(({ path }) => path === pathname);
  return (
    <nav className="desk-nav" aria-label={words.frame.nav}>
      <ul>
        {main.map(({ name, path, Sign }) => (
          <li key={name}>
            <a href={to(path)} aria-current={current(path)}>
              <Sign size={22} />
              {pages[name].title}
            </a>
          </li>
        ))}
        <li>
          <button
            type="button"
            popoverTarget="operator-more"
            aria-current={isBehind ? "true" : undefined}
          >
            <MoreSign size={22} />
            {words.frame.more}
          </button>
        </li>
      </ul>
      <div id="operator-more" className="desk-more" popover="auto">
        <p>{say(words.frame.signedInAs, { name: operator.name })}</p>
        <ul>
          {others.map(({ name, path }) => (
            <li key={name}>
              <a href={to(path)} aria-current={current(path)}>
                {pages[name].title}
              </a>
            </li>
          ))}
          <li>
            <a href={to(paths.operatorSignOut)} aria-current={current(paths.operatorSignOut)}>
              {pages.signOut.title}
            </a>
          </li>
        </ul>
      </div>
    </nav>
  );
}

/** What the script tells of a form that no answer came to; the page behind it is as it was. */
function Unreached() {
  const { problems } = useWords().operator.desk;
  return (
    <template id="unreached">
      <div id="told" className="desk-problem" role="alert" tabIndex={-1}>
        <h2>{problems.unknownTitle}</h2>
        <p>
          {problems.offline} <span data-typed="">{problems.stillHere}</span>
        </p>
      </div>
    </template>
  );
}
