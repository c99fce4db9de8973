// Where the row of categories is wider than the screen, brings the chosen one into view.
(() => {
  const row = document.querySelector("[data-chips]");
  const chosen = row?.querySelector("[aria-current]");
  if (chosen) row.scrollLeft = chosen.offsetLeft - (row.clientWidth - chosen.offsetWidth) / 2;
})();
