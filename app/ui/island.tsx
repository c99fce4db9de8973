import type { ReactElement } from "react";
import { renderToString } from "react-dom/server";

/**
 * A part of a page that React takes over in the browser. Its markup is rendered on its own, in the form that
 * hydration expects, and its props travel beside it as data.
 */
export function Island<Props extends object>({
  id,
  props,
  scriptUrl,
  render,
}: {
  id: string;
  props: Props;
  scriptUrl: string;
  render: (props: Props) => ReactElement;
}) {
  return (
    <>
      <div id={id} dangerouslySetInnerHTML={{ __html: renderToString(render(props)) }} />
      <script
        type="application/json"
        id={`${id}-props`}
        dangerouslySetInnerHTML={{ __html: JSON.stringify(props).replaceAll("<", "\\u003c") }}
      />
      <script type="module" src={scriptUrl} fetchPriority="low" />
    </>
  );
}
