// Runs on every page, written into it. Nothing here is needed to read or use the site.
(() => {
  const header = document.querySelector("[data-site-header]");
  // The first 50 pixels of the page, watched: asking for `scrollY` would force a layout while the page loads.
  const start = document.createElement("i");
  start.style.cssText = "position:absolute;top:0;height:50px";
  document.body.append(start);
  new IntersectionObserver(([seen]) =>
    header.toggleAttribute("data-scrolled", !seen.isIntersecting),
  ).observe(start);

  const menu = document.getElementById("site-menu");
  menu.addEventListener("click", (event) => {
    if (event.target.closest("a")) menu.hidePopover?.();
  });
  // WebKit gives a clicked button no focus, or starts the next Tab from the word inside of it: the menu would be
  // skipped, and Escape would lead nowhere. Focus from before it opens is what Escape returns to.
  const toggle = menu.previousElementSibling;
  for (const moment of ["beforetoggle", "toggle"]) {
    menu.addEventListener(moment, ({ newState }) => {
      if (newState !== "open") return;
      toggle.blur();
      toggle.focus();
    });
  }
  menu.addEventListener("focusout", ({ relatedTarget }) => {
    if (relatedTarget && !relatedTarget.closest("[data-site-header]")) menu.hidePopover?.();
  });

  const reveal = () => {
    const target = document.getElementById(location.hash.slice(1));
    const answer = target?.closest("details");
    if (answer && !answer.open) {
      answer.open = true;
      answer.scrollIntoView();
    }
  };
  addEventListener("hashchange", reveal);
  reveal();
})();
