// Lets the share button open the browser's own sheet with the chosen fare. Without this script, or
// in a browser without such a sheet, the button leads to the page that is to be shared.
const { fares } = document.forms;
if (navigator.share) {
  document.querySelector("[form=fares]").onclick = (press) => {
    press.preventDefault();
    const url = `${fares.action}?${new URLSearchParams(new FormData(fares))}`;
    navigator.share({ url }).catch(() => {});
  };
}

// Keeps a tab that stays open up to date: once rides have opened, closed or become busy, it takes
// the changed parts over from the current page. Looks at the clock each minute, and when the tab is
// in view again.
const renew = () => {
  // A campus without hours has no `until`, and its tab never asks.
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
