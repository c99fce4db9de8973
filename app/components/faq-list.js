// Holds a clicked question in place while an open answer above it closes.
for (const question of document.querySelectorAll("details[name] > summary")) {
  question.addEventListener("click", () => {
    const { top } = question.getBoundingClientRect();
    // The browser closes the other answer before the next frame.
    requestAnimationFrame(() => {
      scrollBy({ top: question.getBoundingClientRect().top - top, behavior: "instant" });
    });
  });
}
