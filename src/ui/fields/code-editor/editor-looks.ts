/** What every editor of text looks like, in the site's own colours, so that light and dark follow the page. */
export const editorLooks = {
  ".cm-cursor": { borderLeftColor: "var(--color-ink)" },
  ".cm-placeholder": { color: "var(--color-faint)" },
  "&.cm-focused": { outline: "none" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "color-mix(in oklab, var(--color-accent) 28%, transparent)",
  },
  ".cm-tooltip": {
    border: "1px solid var(--color-line)",
    borderRadius: "6px",
    backgroundColor: "var(--color-raised)",
    color: "var(--color-ink)",
    boxShadow: "var(--shadow-float)",
    overflow: "hidden",
  },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": {
    backgroundColor: "var(--color-accent-soft)",
    color: "var(--color-ink)",
  },
};
