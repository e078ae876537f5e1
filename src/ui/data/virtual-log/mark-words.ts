const name = "found";

/** Adopted and not in a style sheet of the build, whose tools do not know `::highlight` yet. */
const style = `::highlight(${name}) { background: color-mix(in oklab, var(--color-warning) 40%, transparent); }`;

let styled = false;

function addStyle(): void {
  if (styled) return;
  styled = true;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(style);
  document.adoptedStyleSheets.push(sheet);
}

/**
 * Marks each place of the words below an element, as far as the browser can do that, and brings the first one into view;
 * gives what takes the marks off.
 */
export function markWords(root: HTMLElement, words: string): () => void {
  if (words === "" || typeof Highlight === "undefined") return () => {};
  const wanted = words.toLowerCase();
  const ranges: Range[] = [];
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    const text = (node.nodeValue ?? "").toLowerCase();
    // A letter may become two in lower case: such a text is left unmarked rather than marked beside it.
    if (text.length !== node.nodeValue?.length) continue;
    for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
      const range = new Range();
      range.setStart(node, at);
      range.setEnd(node, at + wanted.length);
      ranges.push(range);
    }
  }
  ranges[0]?.startContainer.parentElement?.scrollIntoView({ block: "nearest" });
  addStyle();
  CSS.highlights.set(name, new Highlight(...ranges));
  return () => void CSS.highlights.delete(name);
}
