// A phone lays out the page's first view first (section.module.css). When everything has loaded the rest follows, a part
// in each frame: whoever takes a picture of the whole page, or turns the phone, finds all of it.
{
  const parts = [...document.querySelectorAll("main>*>*>*,footer>*")];
  window.onload = function next() {
    const part = parts.shift();
    if (!part) return;
    part.style.cssText = "content-visibility:visible";
    requestAnimationFrame(next);
  };
}
