// Lets the share button open the browser's own sheet with the chosen fare. Without this script, or
// in a browser without such a sheet, the button leads to the page that is to be shared.
if (navigator.share) {
  document.querySelector("[form=fares]").onclick = (press) => {
    press.preventDefault();
    const form = document.forms.fares;
    const url = `${form.action}?${new URLSearchParams(new FormData(form))}`;
    navigator.share({ url }).catch(() => {});
  };
}
