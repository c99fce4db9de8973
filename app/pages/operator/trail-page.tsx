import { paths } from "../../../server/http/paths.ts";
import { getServices } from "../../services-context.ts";
import { useWords, wordsAt } from "../../words.ts";
import type { Route } from "./+types/trail-page";
import { requireOperator } from "./guard.ts";
import { OperatorPage, operatorMeta } from "./operator-page.tsx";

const shown = 50;

export const meta = (args: Route.MetaArgs) => operatorMeta(args, "trail");

export async function loader(args: Route.LoaderArgs) {
  requireOperator(args, { keeper: true });
  const url = new URL(args.request.url);
  const words = wordsAt(url);
  const { acts } = words.operator.people.trail;
  const before = Number(url.searchParams.get("before")) || undefined;
  const entries = await getServices(args.context).desk.journal(shown + 1, before);
  const last = entries.length > shown ? entries[shown - 1]?.id : undefined;
  return {
    last,
    entries: entries.slice(0, shown).map(({ id, at, name, act, about }) => ({
      id,
      at: words.dates.momentBriefly(at),
      name,
      act: acts[act] ?? act,
      about,
    })),
  };
}

export default function TrailPage({ loaderData }: Route.ComponentProps) {
  const { operator: words, to } = useWords();
  const { trail } = words.people;
  const { entries, last } = loaderData;
  const path = to(paths.operatorTrail);
  return (
    <OperatorPage name="trail">
      {entries.length === 0 ? <p>{trail.empty}</p> : null}
      <ol className="desk-trail">
        {entries.map(({ id, at, name, act, about }) => (
          <li key={id}>
            <p>
              <b>{name}</b> {act}
              {about ? `: ${about}` : ""}
            </p>
            <p>{at}</p>
          </li>
        ))}
      </ol>
      {last === undefined ? null : (
        <a href={`${path}${path.includes("?") ? "&" : "?"}before=${last}`}>{trail.older}</a>
      )}
    </OperatorPage>
  );
}
