import type { ReactNode } from "react";
import { Picture } from "../../ui/picture.tsx";

/** A page of a few words and a button, with a drawing beside it where the window has room for one. */
export function WithPicture({
  name = "parked-bike",
  children,
}: {
  name?: "parked-bike" | "lost-page" | "flat-tyre";
  children: ReactNode;
}) {
  return (
    <div className="desk-pictured">
      <div>{children}</div>
      <Picture name={name} alt="" />
    </div>
  );
}
