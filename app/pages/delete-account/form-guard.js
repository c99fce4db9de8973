// Written into the page right after the form: it works from first paint on, even if the island never arrives.
(() => {
  // Forms come and go with the island, so the whole page listens.
  document.addEventListener("click", (event) => {
    if (!event.target.closest("[data-back]") || history.length < 2) return;
    event.preventDefault();
    history.back();
  });

  const wide = matchMedia("(width >= 48rem)");
  const unfold = () => {
    for (const fold of document.querySelectorAll("[data-fold]")) fold.open = wide.matches;
  };
  wide.addEventListener("change", unfold);
  unfold();

  const form = document.getElementById("deletion-form");
  if (!form) return;

  const prefill = new URLSearchParams(location.hash.slice(1)).get("email");
  if (prefill !== null) {
    if (!form.elements.email.value) form.elements.email.value = prefill;
    history.replaceState(history.state, "", location.pathname + location.search);
  }

  const button = form.querySelector("button[type=submit]");
  const follow = () => {
    if ("hydrated" in form.dataset) return;
    const { email, reason, confirmation } = form.elements;
    button.disabled = !(email.value && reason.value && confirmation.checked);
  };
  form.addEventListener("input", follow);
  addEventListener("pageshow", follow);
  follow();
})();
