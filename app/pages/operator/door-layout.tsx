import { Outlet } from "react-router";
import "./operator.css";
import type { PageHandle } from "../../document/page-handle.ts";
import { Picture } from "../../ui/picture.tsx";
import { OperatorFrame } from "./operator-frame.tsx";

/** Around the pages where operators come in. */

export const handle: PageHandle = { operators: true };

export default function DoorLayout() {
  return (
    <OperatorFrame>
      <div className="desk-door">
        <div>
          <Outlet />
        </div>
        <Picture name="parked-bike" alt="" />
      </div>
    </OperatorFrame>
  );
}
