// Lays out the rest of the page once everything has loaded, one part per frame; until then a phone
// lays out only the first view (section.module.css). Full-page screenshots and rotated phones then
// show the whole page.
{
  const parts = [...document.querySelectorAll("main>*>*>*,footer>*")];
  window.onload = function next() {
    const part = parts.shift();
    if (!part) return;
    part.style.cssText = "content-visibility:visible";
    requestAnimationFrame(next);
  };
}
