import { isRouteErrorResponse } from "react-router";
import { paths } from "../../../server/http/paths.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { useWords } from "../../words.ts";
import type { Refused } from "./guard.ts";
import { type FrameOperator, OperatorFrame } from "./operator-frame.tsx";
import { PasskeyAsked } from "./passkey-asked.tsx";

/** In place of a page of operators that could not be made or may not be seen. */
export function OperatorFault({
  error,
  operator,
}: {
  error: unknown;
  operator?: FrameOperator | undefined;
}) {
  const { operator: words, to } = useWords();
  const { fault, notFound, keepersOnly } = words.frame;
  if (isRouteErrorResponse(error) && isRefused(error.data)) {
    return (
      <OperatorFrame operator={operator}>
        <PasskeyAsked refused={error.data} />
      </OperatorFrame>
    );
  }
  const status = isRouteErrorResponse(error) ? error.status : 500;
  const { title, text } = status === 404 ? notFound : status === 403 ? keepersOnly : fault;
  return (
    <OperatorFrame operator={operator}>
      <header className="desk-heading">
        <h1>{title}</h1>
        <p>{text}</p>
      </header>
      <ButtonLink href={to(paths.operator)}>{fault.today}</ButtonLink>
    </OperatorFrame>
  );
}

function isRefused(data: unknown): data is Refused {
  return typeof data === "object" && data !== null && "refused" in data && "options" in data;
}
