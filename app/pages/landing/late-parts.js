// Lays out the rest of the page once everything has loaded, a part in each frame; before, a phone
// lays out the first view only (section.module.css). A full-page screenshot or a turned phone then
// shows all of it.
{
  const parts = [...document.querySelectorAll("main>*>*>*,footer>*")];
  window.onload = function next() {
    const part = parts.shift();
    if (!part) return;
    part.style.cssText = "content-visibility:visible";
    requestAnimationFrame(next);
  };
}
