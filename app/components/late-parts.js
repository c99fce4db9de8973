// Once everything has loaded, lays out the page's distant parts (`.late` in base.css) while the
// browser is idle, one per frame. Afterward, full-page screenshots and rotated phones show the
// entire page.
{
  // WebKit has no idle callbacks.
  const idle = window.requestIdleCallback ?? requestAnimationFrame;
  const parts = document.getElementsByClassName("late");
  const next = () => {
    if (!parts[0]) return;
    parts[0].classList.remove("late");
    idle(next);
  };
  window.onload = () => idle(next);
}
