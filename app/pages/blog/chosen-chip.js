// Where the row of categories is wider than the screen, brings the chosen one into view: at once, and again when its
// face has arrived and the names have their real widths, unless the visitor has moved the row since.
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
