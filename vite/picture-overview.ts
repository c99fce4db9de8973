import type { Slot } from "./picture-slots.ts";

/**
 * Returns the page that `npm run dev` serves at `/pictures`. It lists every picture that a campus
 * can replace, with its name, size and aspect ratio. Pictures that the campus has replaced come
 * first.
 */
export function writeOverview({
  slots,
  pictures,
}: {
  slots: readonly (Slot & { own?: string | undefined })[];
  pictures: Readonly<Record<string, { url: string }>>;
}): string {
  const cells = slots
    .toSorted((a, b) => Number(Boolean(b.own)) - Number(Boolean(a.own)))
    .map(({ name, width, height, where, own }) => {
      const shown = pictures[name];
      const image = shown ? `<img src="${shown.url}" alt="" loading="lazy">` : "<span>none</span>";
      const ratio = (width / height).toFixed(2);
      return `<li class="${own ? "own" : ""}"><div>${image}</div><b>${name}</b> ${width} × ${height}, ratio ${ratio}<br>${where}<br>${own ? `yours: pictures/${own}` : "ours"}</li>`;
    });
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Pictures</title>
<style>body{font:16px/1.4 system-ui;margin:2rem;max-width:80rem}ul{list-style:none;padding:0;display:grid;gap:1.5rem;grid-template-columns:repeat(auto-fill,minmax(15rem,1fr))}li{border:1px solid #999;padding:.75rem;border-radius:.5rem}li.own{border:3px solid #006d77}div{height:9rem;display:grid;place-items:center;background:#eee;margin-bottom:.5rem}img{max-width:100%;max-height:9rem}</style>
<h1>Pictures</h1>
<p>Put a file of the same name into <code>pictures/</code> in the campus folder, as SVG, PNG, JPEG, WebP or AVIF: it replaces ours. <code>NAME-dark</code> is shown in the dark colours. Twice the size given here is sharp on every phone. The colours of our drawings are in the file that <code>npm run campus -- palette</code> writes.</p>
<ul>${cells.join("")}</ul></html>`;
}
