// Inlined into every public page. The site also works without this script.
(() => {
  const header = document.querySelector("[data-site-header]");
  const menu = document.getElementById("site-menu");
  const close = () => menu.hidePopover?.();

  // Observes the first 50 pixels instead of reading `scrollY`, which would force a layout while the
  // page loads. The observer can report several changes together; the last is the newest.
  const start = document.createElement("i");
  start.style.cssText = "position:absolute;top:0;height:50px";
  document.body.append(start);
  new IntersectionObserver((moments) =>
    header.toggleAttribute("data-scrolled", !moments.at(-1).isIntersecting),
  ).observe(start);

  menu.onclick = ({ target }) => {
    if (target.closest("a")) close();
  };
  // WebKit either doesn't focus a clicked button or starts the next Tab from the text inside the
  // button. Tab would then skip the menu, and Escape would have no element to return the focus to.
  // So the script moves the focus to the button.
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
