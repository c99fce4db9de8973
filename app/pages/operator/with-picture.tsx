import type { ReactNode } from "react";
import { Picture } from "../../ui/picture.tsx";

/** A page of a few words and a button, with a drawing beside it where the window has room for one. */
export function WithPicture({
  name,
  alt = "",
  children,
}: {
  /** What fits: who somebody is, work that is over, nothing on the shelf, what cannot be found, what broke. */
  name: "step-1" | "safety" | "parked-bike" | "empty-shelf" | "lost-page" | "flat-tyre";
  /** What it shows, where it is more than company: then a phone has it, too. */
  alt?: string;
  children: ReactNode;
}) {
  return (
    <div className="desk-pictured" data-everywhere={alt !== "" || undefined}>
      <div>{children}</div>
      <Picture name={name} alt={alt} />
    </div>
  );
}
