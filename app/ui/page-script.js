// Runs on every page, written into it. Nothing here is needed to read or use the site.
(() => {
  const header = document.querySelector("[data-site-header]");
  const mark = () => header.toggleAttribute("data-scrolled", scrollY > 50);
  addEventListener("scroll", mark, { passive: true });
  mark();

  const menu = document.getElementById("site-menu");
  menu.addEventListener("click", (event) => {
    if (event.target.closest("a")) menu.hidePopover?.();
  });
  // WebKit gives a clicked button no focus: Tab would skip the menu, and Escape would lead nowhere.
  menu.addEventListener("beforetoggle", ({ newState }) => {
    if (newState === "open") menu.previousElementSibling.focus();
  });
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
