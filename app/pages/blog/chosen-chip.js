// If the row is wider than the screen, scrolls the selected category into view: immediately and,
// unless the visitor has scrolled the row, again when the font has loaded and the names have their
// final width.
(() => {
  const row = document.querySelector("[data-chips]");
  const chosen = row?.querySelector("[aria-current]");
  if (!chosen) return;
  let place;
  const show = () => {
    if (place !== undefined && row.scrollLeft !== place) return;
    row.scrollLeft = chosen.offsetLeft - (row.clientWidth - chosen.offsetWidth) / 2;
    place = row.scrollLeft;
  };
  show();
  document.fonts.ready.then(show);
})();
