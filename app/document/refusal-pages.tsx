import { theme } from "virtual:campus";
import { renderToStaticMarkup } from "react-dom/server";
import { paths } from "../../server/platform/http/paths.ts";
import {
  isFailure,
  type RefusalKind,
  type RefusalWords,
  referenceMark,
  refusalStatus,
} from "../../server/platform/http/refusals.ts";
import faces from "../components/faces.css?inline";
import { Text, TextMarksContext } from "../components/text.tsx";
import { languages, type PageWords } from "../words.ts";
import { contentSecurityPolicy } from "./content-security-policy.ts";

/**
 * Renders the HTTP layer's error pages in every language. They are small and load only the display
 * font.
 */
export function writeRefusals(): RefusalWords[] {
  return languages.map((words) => {
    const { error, refusals } = words.interface;
    const style = faces + writeStyle();
    const policy = contentSecurityPolicy({ style, scripts: [], files: false });
    const textsOf: Record<RefusalKind, RefusalText> = {
      ...refusals,
      fault: { title: error.title, detail: error.faultText },
    };
    const kinds = Object.keys(refusalStatus) as RefusalKind[];
    const write = (kind: RefusalKind) =>
      renderToStaticMarkup(
        <TextMarksContext value={words.textMarks}>
          <RefusalPage
            words={words}
            text={textsOf[kind]}
            style={style}
            reference={isFailure(kind) ? referenceMark : undefined}
          />
        </TextMarksContext>,
      );
    return {
      language: words.settings.language,
      texts: Object.fromEntries(
        kinds.map((kind) => [
          kind,
          { ...textsOf[kind], writeHtml: () => `<!DOCTYPE html>${write(kind)}` },
        ]),
      ) as RefusalWords["texts"],
      reference: error.reference,
      policy,
    };
  });
}

type RefusalText = { title: string; detail: string };

function RefusalPage({
  words,
  text,
  style,
  reference,
}: {
  words: PageWords;
  text: RefusalText;
  style: string;
  reference: string | undefined;
}) {
  const { settings, interface: labels, to, dir } = words;
  return (
    <html lang={settings.language} dir={dir}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`${text.title} · ${settings.product}`}</title>
        <meta name="robots" content="noindex" />
        <style dangerouslySetInnerHTML={{ __html: style }} />
      </head>
      <body>
        <header>
          <a href={to(paths.landing)}>
            <Text>{settings.product}</Text>
          </a>
        </header>
        <main>
          <h1>
            <Text>{text.title}</Text>
          </h1>
          <p>
            <Text>{text.detail}</Text>
          </p>
          <p>
            <a className="button" href={to(paths.landing)}>
              <Text>{labels.error.home}</Text>
            </a>
          </p>
          <p className="help" dangerouslySetInnerHTML={{ __html: labels.error.help }} />
          {reference ? (
            <p className="help">
              <Text>{labels.error.reference}</Text> <bdi>{reference}</bdi>
            </p>
          ) : null}
        </main>
      </body>
    </html>
  );
}

function writeStyle(): string {
  const names = ["paper", "surface", "ink", "ink-soft", "link", "outline", "shadow", "focus"];
  const filled = ["primary", "on-primary", "marigold", "rani"];
  const colours = (scheme: Record<string, string>) =>
    [...names, ...filled].map((name) => `--${name}:${scheme[name]}`).join(";");
  return `:root{color-scheme:light dark;${colours(theme.light)}}@media(prefers-color-scheme:dark){:root{${colours(theme.dark)}}}*{box-sizing:border-box}body{margin:0;min-height:100vh;background:var(--paper);color:var(--ink);font:1.0625rem/1.65 Letters,-apple-system,"Segoe UI",Arial,sans-serif}header{padding:1rem clamp(1rem,4vw,3rem);border-bottom:2px solid var(--outline);background:var(--surface)}header a,h1{font-family:"Bricolage Grotesque",Letters,Arial,sans-serif;font-weight:800;color:inherit}header a{font-size:1.5rem;text-decoration:none}main{max-width:38rem;margin:clamp(1.5rem,8vh,5rem) clamp(1rem,8vw,7rem);padding:clamp(1.25rem,4vw,2.5rem);background:var(--surface);border:2px solid var(--outline);border-top:14px solid var(--rani);border-radius:20px;box-shadow:8px 8px 0 var(--shadow);overflow-wrap:anywhere}h1{margin:0 0 1rem;font-size:clamp(1.7rem,1.3rem + 2vw,2.6rem);line-height:1.15}h1:lang(bn){line-height:1.45}p{margin:0 0 1.25rem}a{color:var(--link)}.button{display:inline-block;padding:.7rem 1.4rem;border:2px solid var(--outline);border-radius:14px;background:var(--primary);color:var(--on-primary);font-weight:700;text-decoration:none}.help{margin:0;color:var(--ink-soft)}:focus-visible{outline:3px solid var(--focus);outline-offset:3px}`;
}
