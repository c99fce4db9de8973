import type { ComponentProps } from "react";
import { ButtonLink } from "../../ui/button.tsx";
import { useWords } from "../../words.ts";

/** A button-like link that opens in a new tab and says so to those who cannot see it happen. */
export function NewTabLink({ children, ...link }: ComponentProps<typeof ButtonLink>) {
  const { newTab } = useWords().landing.hero;
  return (
    <ButtonLink {...link} target="_blank" rel="noopener">
      <span>
        {children}
        <span className="visually-hidden"> ({newTab})</span>
      </span>
    </ButtonLink>
  );
}
