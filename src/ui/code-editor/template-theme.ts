import { EditorView } from "@codemirror/view";

/** The looks of a template's field: an input of the site with expressions that stand out. */
export const templateTheme = EditorView.theme({
  "&": { backgroundColor: "transparent", color: "var(--color-ink)", fontSize: "13px" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "inherit", lineHeight: "20px", overflow: "auto" },
  ".cm-content": { caretColor: "var(--color-ink)", padding: "5px 0" },
  ".cm-line": { padding: "0 30px 0 10px" },
  ".cm-cursor": { borderLeftColor: "var(--color-ink)" },
  ".cm-dropCursor": { borderLeftColor: "var(--color-accent)" },
  ".cm-placeholder": { color: "var(--color-faint)" },
  ".cm-expression": {
    fontFamily: "var(--font-mono)",
    fontSize: "12px",
    borderRadius: "4px",
    backgroundColor: "var(--color-accent-soft)",
  },
  ".cm-trouble": {
    textDecoration: "underline wavy var(--color-danger) 1px",
    textUnderlineOffset: "3px",
  },
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
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--font-mono)", fontSize: "12px", maxHeight: "220px" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { display: "flex", gap: "12px", padding: "3px 8px" },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": {
    backgroundColor: "var(--color-accent-soft)",
    color: "var(--color-ink)",
  },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "600" },
  ".cm-completionDetail": {
    color: "var(--color-muted)",
    fontStyle: "normal",
    marginLeft: "auto",
    maxWidth: "220px",
    overflow: "hidden",
    textOverflow: "ellipsis",
  },
});
