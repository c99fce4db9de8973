import type { Theme } from "./theme.ts";

/**
 * Replaces every `var(--NAME)` with that color, for renderers without support for custom
 * properties.
 */
export function stampColours(svg: string, colours: Record<string, string>): string {
  return svg.replace(/var\(--([\w-]+)\)/g, (_, name: string) => {
    const colour = colours[name];
    if (!colour) throw new Error(`A drawing uses --${name}, which campus/theme.css doesn't define`);
    return colour;
  });
}

/**
 * Adds both schemes' colors to an SVG file. If its URL ends in `#night`, the dark colors apply and
 * elements of the class `by-night` are visible. The URL selects the scheme, because WebKit up to
 * 2.50 ignores `prefers-color-scheme` in an `<img>`. Colors that both schemes share are written into
 * the elements, because browsers apply them faster than custom properties.
 *
 * Elements of the class `beam` are hidden where the drawing is small, because the hero crops it there.
 */
export function stampSchemes(svg: string, theme: Theme): string {
  const used = [...new Set([...svg.matchAll(/var\(--([\w-]+)\)/g)].map((match) => match[1] ?? ""))];
  const changed = used.filter((name) => theme.light[name] !== theme.dark[name]);
  const kept = Object.fromEntries(changed.map((name) => [name, `var(--${name})`]));
  const list = (colours: Record<string, string>) =>
    changed.map((name) => `--${name}:${colours[name]}`).join(";");
  const byNight = svg.includes('class="by-night"')
    ? ".by-night{display:none}svg:target .by-night{display:inline}"
    : "";
  const beam = svg.includes('class="beam"') ? "@media(max-width:320px){.beam{display:none}}" : "";
  const style = `<style>svg{${list(theme.light)}}svg:target{${list(theme.dark)}}${byNight}${beam}</style>`;
  return stampColours(svg, { ...theme.light, ...kept })
    .replace(/^<svg/, '<svg id="night"')
    .replace(/^(<svg[^>]*>)/, `$1${style}`);
}
