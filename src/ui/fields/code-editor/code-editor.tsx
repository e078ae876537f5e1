import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { javascript, javascriptLanguage, localCompletionSource } from "@codemirror/lang-javascript";
import { bracketMatching, indentOnInput, indentUnit } from "@codemirror/language";
import { Compartment, EditorState } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { useEffect, useRef } from "react";
import type { FieldControlProps } from "../field.tsx";
import { codeTheme } from "./code-theme.ts";
import { contentAttributes } from "./content-attributes.ts";
import { completeNames, type CodeName } from "./complete-names.ts";

interface CodeEditorProps {
  control: FieldControlProps;
  label: string;
  value: string;
  names: readonly CodeName[];
  onChange(value: string): void;
}

/**
 * JavaScript with colours, brackets and completion of the variables that the code sees. Tab indents; Escape, then Tab leaves
 * it, and so does Escape alone where the panel around it takes that key.
 */
export default function CodeEditor({ control, label, value, names, onChange }: CodeEditorProps) {
  const parent = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const latest = useRef({ value, names, onChange });
  const attributes = useRef(new Compartment());

  useEffect(() => {
    latest.current = { value, names, onChange };
  });

  useEffect(() => {
    if (parent.current === null) return undefined;
    const editor = new EditorView({
      parent: parent.current,
      state: EditorState.create({
        doc: latest.current.value,
        extensions: [
          lineNumbers(),
          history(),
          drawSelection(),
          highlightActiveLine(),
          indentUnit.of("  "),
          indentOnInput(),
          bracketMatching(),
          closeBrackets(),
          javascript(),
          javascriptLanguage.data.of({ autocomplete: completeNames(() => latest.current.names) }),
          javascriptLanguage.data.of({ autocomplete: localCompletionSource }),
          autocompletion({ icons: false }),
          keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, ...completionKeymap, indentWithTab]),
          EditorView.lineWrapping,
          codeTheme,
          attributes.current.of([]),
          EditorView.updateListener.of((update) => {
            if (!update.docChanged) return;
            const text = update.state.doc.toString();
            if (text !== latest.current.value) latest.current.onChange(text);
          }),
        ],
      }),
    });
    view.current = editor;
    return () => {
      view.current = null;
      editor.destroy();
    };
  }, []);

  const { id, "aria-describedby": describedBy, "aria-invalid": invalid, "aria-required": required } = control;
  useEffect(() => {
    const props = { id, "aria-describedby": describedBy, "aria-invalid": invalid, "aria-required": required };
    view.current?.dispatch({ effects: attributes.current.reconfigure(contentAttributes(props, label)) });
  }, [id, describedBy, invalid, required, label]);

  // A value that changes from outside, by undo or a reset, replaces the text.
  useEffect(() => {
    const editor = view.current;
    if (editor === null || editor.state.doc.toString() === value) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
  }, [value]);

  return (
    <div
      ref={parent}
      data-invalid={invalid || undefined}
      className="overflow-hidden rounded-md border border-line-strong bg-surface focus-within:border-select focus-within:ring-1 focus-within:ring-select data-invalid:border-danger"
    />
  );
}
