// Lays out the rest of the page after everything has loaded, one section per frame. Until then, a
// phone lays out only what is above the fold (landing-page.module.css). Afterward, full-page screenshots
// and rotated phones show the whole page.
{
  const parts = [...document.querySelectorAll("main>*>*>*,footer>*")];
  window.onload = function next() {
    const part = parts.shift();
    if (!part) return;
    part.style.cssText = "content-visibility:visible";
    requestAnimationFrame(next);
  };
}
