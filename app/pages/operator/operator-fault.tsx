import type { ReactNode } from "react";
import { isRouteErrorResponse } from "react-router";
import { paths } from "../../../server/http/paths.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { useWords } from "../../words.ts";
import type { Refused } from "./guard.ts";
import { Drill, type FrameOperator, OperatorFrame } from "./operator-frame.tsx";
import { PasskeyAsked } from "./passkey-asked.tsx";
import { WithPicture } from "./with-picture.tsx";

/** In place of a page of operators that could not be made or may not be seen. */
export function OperatorFault({
  error,
  operator,
  notice,
}: {
  error: unknown;
  operator?: FrameOperator | undefined;
  notice?: ReactNode;
}) {
  const { operator: words, to } = useWords();
  const { fault, notFound, adminsOnly } = words.frame;
  if (isRouteErrorResponse(error) && isRefused(error.data)) {
    return (
      <OperatorFrame operator={operator} notice={notice ?? (error.data.isDrill ? <Drill /> : null)}>
        <WithPicture name="step-1">
          <PasskeyAsked refused={error.data} />
        </WithPicture>
      </OperatorFrame>
    );
  }
  const status = isRouteErrorResponse(error) ? error.status : 500;
  const { title, text } = status === 404 ? notFound : status === 403 ? adminsOnly : fault;
  const picture = status === 404 ? "lost-page" : status === 403 ? "safety" : "flat-tyre";
  return (
    <OperatorFrame operator={operator} notice={notice}>
      <WithPicture name={picture}>
        <header className="desk-heading">
          <h1>{title}</h1>
          <p>{text}</p>
        </header>
        <ButtonLink href={to(paths.operator)}>{fault.today}</ButtonLink>
      </WithPicture>
    </OperatorFrame>
  );
}

function isRefused(data: unknown): data is Refused {
  return typeof data === "object" && data !== null && "refused" in data && "options" in data;
}
