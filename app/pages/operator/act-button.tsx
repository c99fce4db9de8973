import { Button } from "../../ui/button.tsx";

/** A form of one button, with what goes with it. */
export function ActButton({
  path,
  act,
  fields = {},
  label,
  of,
  about,
  danger = false,
}: {
  path: string;
  act: string;
  fields?: Record<string, string | number>;
  label: string;
  /** What it concerns, for those who hear the button alone. */
  of?: string;
  /** What comes of it. */
  about?: string;
  danger?: boolean;
}) {
  return (
    <form data-kept="" method="post" action={path} className="desk-form">
      {about ? <p>{about}</p> : null}
      {Object.entries({ act, ...fields }).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Button type="submit" look={danger ? "danger" : "plain"}>
        {label}
        {of ? <span className="visually-hidden"> {of}</span> : null}
      </Button>
    </form>
  );
}
