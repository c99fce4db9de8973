// Runs on every page, written into it. Nothing here is needed to read or use the site.
(() => {
  const header = document.querySelector("[data-site-header]");
  const menu = document.getElementById("site-menu");
  const close = () => menu.hidePopover?.();

  // The first 50 pixels of the page, watched: asking for `scrollY` would force a layout while the page loads. Several
  // moments may be told at once, the newest last.
  const start = document.createElement("i");
  start.style.cssText = "position:absolute;top:0;height:50px";
  document.body.append(start);
  new IntersectionObserver((moments) =>
    header.toggleAttribute("data-scrolled", !moments.at(-1).isIntersecting),
  ).observe(start);

  menu.onclick = ({ target }) => {
    if (target.closest("a")) close();
  };
  // WebKit gives a clicked button no focus, or starts the next Tab from the word inside of it: the menu would be
  // skipped, and Escape would lead nowhere. Focus from before it opens is what Escape returns to.
  const toggle = menu.previousElementSibling;
  menu.onbeforetoggle = menu.ontoggle = ({ newState }) => {
    if (newState !== "open") return;
    toggle.blur();
    toggle.focus();
  };
  menu.addEventListener("focusout", ({ relatedTarget }) => {
    if (relatedTarget && !header.contains(relatedTarget)) close();
  });

  const reveal = () => {
    const answer = document.getElementById(location.hash.slice(1))?.closest("details");
    if (answer && !answer.open) {
      answer.open = true;
      answer.scrollIntoView();
    }
  };
  window.onhashchange = reveal;
  reveal();
})();
