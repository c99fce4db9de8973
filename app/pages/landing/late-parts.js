// Once everything has loaded, lays out the rest of the page, one section per frame. Until then,
// phones lay out only what is above the fold (landing-page.module.css). Afterward, full-page
// screenshots and rotated phones show the entire page.
{
  const parts = [...document.querySelectorAll("main>*>*>*,footer>*")];
  window.onload = function next() {
    const part = parts.shift();
    if (!part) return;
    part.style.cssText = "content-visibility:visible";
    requestAnimationFrame(next);
  };
}
