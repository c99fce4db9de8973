// Keeps a clicked question in place while the previously open answer above it closes.
for (const question of document.querySelectorAll("details[name] > summary")) {
  question.addEventListener("click", () => {
    const { top } = question.getBoundingClientRect();
    // The browser opens this answer and closes the other one before the next frame.
    requestAnimationFrame(() => {
      scrollBy({ top: question.getBoundingClientRect().top - top, behavior: "instant" });
    });
  });
}
