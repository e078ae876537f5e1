import { EditorView } from "@codemirror/view";
import { editorLooks } from "./editor-looks.ts";

/** The looks of a template's field: an input of the site with expressions that stand out. */
export const templateTheme = EditorView.theme({
  ...editorLooks,
  "&": { backgroundColor: "transparent", color: "var(--color-ink)", fontSize: "13px" },
  ".cm-scroller": { fontFamily: "inherit", lineHeight: "20px", overflow: "auto" },
  ".cm-content": { caretColor: "var(--color-ink)", padding: "5px 0" },
  ".cm-line": { padding: "0 30px 0 10px" },
  ".cm-dropCursor": { borderLeftColor: "var(--color-accent)" },
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
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--font-mono)", fontSize: "12px", maxHeight: "220px" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { display: "flex", gap: "12px", padding: "3px 8px" },
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
