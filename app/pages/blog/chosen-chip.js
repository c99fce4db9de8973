// Scrolls the chosen category into view if the row is wider than the screen: once immediately, and
// again after the font has loaded and the names have their final width, unless the visitor has
// scrolled the row.
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
