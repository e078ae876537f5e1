/** Marks a title that was set here, so that one which the page has set itself is left alone. */
const mark = "cut";

/** What ends in an ellipsis where it is cut: by its class, or on cards, which have classes of their own. */
const ends = ".truncate, .card-title, .card-line, .card-badges";

/** Gives text that ends in an ellipsis its whole words as a tooltip, once the pointer comes to it. */
export function titleCutText(root: Document): void {
  root.addEventListener("pointerover", ({ target }) => {
    const text = target instanceof Element ? target.closest<HTMLElement>(ends) : null;
    if (text === null || (text.title !== "" && !(mark in text.dataset))) return;
    if (text.scrollWidth > text.clientWidth || text.scrollHeight > text.clientHeight + 1) {
      text.title = text.textContent.trim();
      text.dataset[mark] = "";
    } else if (mark in text.dataset) {
      text.removeAttribute("title");
      delete text.dataset[mark];
    }
  });
}
