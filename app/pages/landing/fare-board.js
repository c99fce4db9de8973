// Opens the browser's share sheet with the chosen trip, and puts the trip into the address bar.
// Without this script, or in a browser without a share sheet, the button leads to the page to share.
const { fares } = document.forms;
if (navigator.share) {
  document.querySelector("[form=fares]").onclick = (press) => {
    press.preventDefault();
    const url = `${fares.action}?${new URLSearchParams(new FormData(fares))}`;
    history.replaceState(null, "", url);
    navigator.share({ url }).catch(() => {});
  };
}

// Refreshes a tab that stays open: once rides have opened, closed or become busy, replaces the
// changed parts from the current page. Checks every minute and when the tab becomes visible.
const renew = () => {
  // A campus without ride hours has no `until`, so its tab never sends a request.
  if (document.hidden || !(Date.now() >= fares.dataset.until)) return;
  fetch("", { cache: "no-cache" })
    .then((answer) => answer.text())
    .then((text) => {
      const page = new DOMParser().parseFromString(text, "text/html");
      const parts = page.querySelectorAll("[data-rides]");
      document.querySelectorAll("[data-rides]").forEach((part, place) => {
        part.dataset.rides = parts[place].dataset.rides;
        part.replaceChildren(...parts[place].childNodes);
      });
      fares.dataset.until = page.forms.fares.dataset.until;
    })
    .catch(() => {});
};
setInterval(renew, 60_000);
document.onvisibilitychange = renew;
