// Expands the table of contents on wide screens and highlights the current section.
(() => {
  const contents = document.querySelector("[data-contents]");
  const frame = contents.parentElement;
  const links = [...contents.querySelectorAll("a")];
  const wideScreen = matchMedia("(width >= 60rem)");
  const fold = () => {
    contents.open = wideScreen.matches;
  };
  wideScreen.addEventListener("change", fold);
  fold();
  contents.addEventListener("click", (event) => {
    if (event.target.closest("a") && !wideScreen.matches) contents.open = false;
  });

  const watch = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        const link = links.find((candidate) => candidate.hash === `#${target.id}`);
        if (isIntersecting) {
          link.setAttribute("aria-current", "true");
          frame.scrollTop = link.offsetTop - frame.clientHeight / 2;
        } else link.removeAttribute("aria-current");
      }
    },
    { rootMargin: "-25% 0px -75% 0px" },
  );
  for (const link of links) watch.observe(document.querySelector(link.hash));
})();
