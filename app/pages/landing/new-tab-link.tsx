import type { ComponentProps } from "react";
import { ButtonLink } from "../../components/button.tsx";
import { Text } from "../../components/text.tsx";
import { useWords } from "../../words.ts";

/**
 * Renders a link that looks like a button, opens in a new tab and announces that to screen readers.
 */
export function NewTabLink({ children, ...link }: ComponentProps<typeof ButtonLink>) {
  const { newTab } = useWords().landing.hero;
  return (
    <ButtonLink {...link} target="_blank" rel="noopener">
      <span>
        <Text>{children}</Text>
        <span className="visually-hidden">
          {" "}
          (<Text>{newTab}</Text>)
        </span>
      </span>
    </ButtonLink>
  );
}
