// Inlined at the end of the page, so that it works as soon as the page has arrived, even if the
// form's own script never loads.
(() => {
  document.addEventListener("click", (event) => {
    if (!event.target.closest("[data-back]") || history.length < 2) return;
    event.preventDefault();
    history.back();
  });

  const wideScreen = matchMedia("(width >= 60rem)");
  const unfold = () => {
    for (const fold of document.querySelectorAll("[data-fold]")) fold.open = wideScreen.matches;
  };
  wideScreen.addEventListener("change", unfold);
  unfold();

  const form = document.getElementById("deletion-form");
  if (!form) return;

  // The page is the same for everyone, so the browser creates the idempotency key. Without
  // JavaScript, the server derives one.
  form.elements.formKey.value ||= Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");

  // Reads the email address from the URL fragment of an app's link. Preserves plus signs, and
  // decodes an address that the app encoded twice.
  const read = (text) => new URLSearchParams(text.replaceAll("+", "%2B")).get("email");
  const prefill = read(location.hash.slice(1));
  if (prefill !== null) {
    const address = prefill.includes("@") ? prefill : read(`email=${prefill}`);
    if (!form.elements.email.value) form.elements.email.value = address;
    history.replaceState(history.state, "", location.pathname + location.search);
  }

  const button = form.querySelector("[data-send]");
  const follow = () => {
    const isMissing = (field) => (field.type === "checkbox" ? !field.checked : !field.value);
    const isIncomplete = [...form.querySelectorAll("[required]")].some(isMissing);
    button.disabled = form.hasAttribute("aria-busy") || isIncomplete;
  };
  // Password managers fill in fields without an input event, so the next touch or focus change
  // checks the fields again.
  for (const event of ["input", "change", "focusin", "pointerover"]) {
    form.addEventListener(event, follow);
  }
  addEventListener("pageshow", follow);
  follow();
})();
