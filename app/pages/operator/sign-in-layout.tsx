import { Outlet } from "react-router";
import "./operator.css";
import type { PageHandle } from "../../document/page-handle.ts";
import { OperatorFrame, WithPicture } from "./operator-frame.tsx";

export { OperatorFault as ErrorBoundary, operatorMeta as meta } from "./operator-frame.tsx";

/** Layout of the sign-in and enrollment pages. */

export const handle: PageHandle = { operators: true };

export default function SignInLayout() {
  return (
    <OperatorFrame>
      <WithPicture name="step-1">
        <Outlet />
      </WithPicture>
    </OperatorFrame>
  );
}
