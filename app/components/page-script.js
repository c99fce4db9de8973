// Inlined into every public page. The site also works without this script.
(() => {
  const header = document.querySelector("[data-site-header]");
  const menu = document.getElementById("site-menu");
  const close = () => menu.hidePopover?.();

  // Observes the first 50 pixels, because reading `scrollY` would force a layout during loading.
  // The observer may report several changes at once; the last is the newest.
  const start = document.createElement("i");
  start.style.cssText = "position:absolute;top:0;height:50px";
  document.body.append(start);
  new IntersectionObserver((moments) =>
    header.toggleAttribute("data-scrolled", !moments.at(-1).isIntersecting),
  ).observe(start);

  menu.onclick = ({ target }) => {
    if (target.closest("a")) close();
  };
  // WebKit either doesn't focus a clicked button or starts the next Tab from the text inside it.
  // Tab would then skip the menu, and Escape couldn't restore the focus, so focus the button here.
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
