import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { editorLooks } from "./editor-looks.ts";

/** Looks of the editor itself, in the site's own colours, so that light and dark follow the page. */
const surface = EditorView.theme({
  ...editorLooks,
  "&": { fontSize: "12px", backgroundColor: "transparent", color: "var(--color-ink)" },
  ".cm-scroller": { fontFamily: "var(--font-mono)", lineHeight: "20px", minHeight: "168px", maxHeight: "420px" },
  ".cm-content": { caretColor: "var(--color-ink)", padding: "6px 0" },
  ".cm-gutters": { backgroundColor: "transparent", color: "var(--color-faint)", border: "none" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "transparent" },
  "&.cm-focused .cm-activeLine": {
    backgroundColor: "color-mix(in oklab, var(--color-hover) 60%, transparent)",
  },
  ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": {
    backgroundColor: "var(--color-accent-soft)",
    outline: "none",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--font-mono)", fontSize: "12px" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "2px 8px" },
  ".cm-completionDetail": { color: "var(--color-muted)", fontStyle: "normal", marginLeft: "12px" },
});

const tokens = HighlightStyle.define([
  { tag: [tags.keyword, tags.controlKeyword, tags.operatorKeyword], color: "var(--color-role-tool)" },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], color: "var(--color-success)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--color-role-model)" },
  { tag: [tags.function(tags.variableName), tags.function(tags.propertyName)], color: "var(--color-role-memory)" },
  { tag: tags.comment, color: "var(--color-faint)", fontStyle: "italic" },
  { tag: tags.invalid, color: "var(--color-danger)" },
]);

export const codeTheme = [surface, syntaxHighlighting(tokens)];
