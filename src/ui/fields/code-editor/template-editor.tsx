import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  type CompletionContext,
  completionKeymap,
  type CompletionResult,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { Compartment, EditorState, type Extension } from "@codemirror/state";
import { drawSelection, dropCursor, EditorView, keymap, placeholder } from "@codemirror/view";
import { type RefObject, useEffect, useImperativeHandle, useRef } from "react";
import type { FieldControlProps } from "../field.tsx";
import { contentAttributes } from "./content-attributes.ts";
import { expressionMarks, setTrouble, troubleMark } from "./template-marks.ts";
import { templateTheme } from "./template-theme.ts";

/** A name that fits at the cursor. */
interface TemplateOption {
  label: string;
  /** What it is, in a few words. */
  detail: string;
  /** Its value in a few characters. */
  sample?: string;
  /** What takes the place of the text from `from` to the cursor. */
  insert: string;
}

/** What a field can be told to do from outside. */
export interface TemplateEditorHandle {
  /** Puts an expression where the cursor is: with braces, or without them where it already stands inside of some. */
  insert(expression: string): void;
}

export interface TemplateEditorProps {
  control: FieldControlProps;
  label: string;
  value: string;
  placeholder?: string;
  multiline: boolean;
  mono: boolean;
  /** As high as a window allows. */
  large: boolean;
  /** Where the cursor goes at first; absent = the focus stays where it is. */
  cursor?: number;
  /** The character at which something is wrong; marked anew for each new object. */
  trouble?: { position: number };
  complete(text: string, cursor: number): { from: number; options: readonly TemplateOption[] } | undefined;
  onChange(value: string): void;
  /** The caret has come into an expression, or left it; without the focus it is in none. */
  onCaretInside(isInside: boolean): void;
  ref?: RefObject<TemplateEditorHandle | null>;
}

const oneLine = EditorState.transactionFilter.of((transaction) => {
  if (!transaction.docChanged || transaction.newDoc.lines === 1) return transaction;
  const text = transaction.newDoc.toString().replace(/\s*\n\s*/g, " ");
  const { head } = transaction.newSelection.main;
  const { length } = transaction.startState.doc;
  return [{ changes: { from: 0, to: length, insert: text }, selection: { anchor: Math.min(head, text.length) } }];
});

/** Whether the position stands between `{{` and `}}`. */
function isInside(text: string, position: number): boolean {
  const open = text.lastIndexOf("{{", position - 1);
  return open !== -1 && open + 2 <= position && !text.slice(open, position).includes("}}");
}

function insertAt(view: EditorView, expression: string): void {
  const { from, to } = view.state.selection.main;
  const insert = isInside(view.state.doc.toString(), from) ? expression : `{{${expression}}}`;
  view.dispatch({ changes: { from, to, insert }, selection: { anchor: from + insert.length }, userEvent: "input" });
  view.focus();
}

/** A text with `{{ … }}`: completion of data while typing, expressions that stand out. Tab leaves it. */
export default function TemplateEditor(props: TemplateEditorProps) {
  const { control, label, value, multiline, mono, large, cursor, trouble, ref } = props;
  const parent = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const latest = useRef(props);
  const attributes = useRef(new Compartment());
  const first = useRef({ cursor, multiline, placeholder: props.placeholder });

  useEffect(() => {
    latest.current = props;
  });

  useImperativeHandle(ref, () => ({
    insert(expression) {
      if (view.current !== null) insertAt(view.current, expression);
    },
  }));

  useEffect(() => {
    if (parent.current === null) return undefined;
    const { cursor: start, multiline: lines, placeholder: hint } = first.current;
    const source = (context: CompletionContext): CompletionResult | null => {
      const found = latest.current.complete(context.state.doc.toString(), context.pos);
      if (found === undefined || found.options.length === 0) return null;
      const options = found.options.map(({ label: name, detail, sample, insert }) => ({
        label: name,
        detail: sample ?? detail,
        apply: insert,
      }));
      return { from: found.from, options, validFor: /^\w*$/ };
    };
    const extensions: Extension[] = [
      history(),
      drawSelection(),
      dropCursor(),
      closeBrackets(),
      // Names are typed fast and taken with Enter at once.
      autocompletion({ override: [source], icons: false, interactionDelay: 0 }),
      keymap.of([...closeBracketsKeymap, ...completionKeymap, ...defaultKeymap, ...historyKeymap]),
      EditorView.lineWrapping,
      expressionMarks,
      troubleMark,
      templateTheme,
      attributes.current.of([]),
      EditorView.updateListener.of((update) => {
        if (update.docChanged || update.selectionSet || update.focusChanged) {
          const { head } = update.state.selection.main;
          latest.current.onCaretInside(update.view.hasFocus && isInside(update.state.doc.toString(), head));
        }
        if (!update.docChanged) return;
        const text = update.state.doc.toString();
        if (text !== latest.current.value) latest.current.onChange(text);
      }),
      ...(lines ? [] : [oneLine]),
      ...(hint === undefined ? [] : [placeholder(hint)]),
    ];
    const editor = new EditorView({
      parent: parent.current,
      state: EditorState.create({ doc: latest.current.value, extensions }),
    });
    view.current = editor;
    if (start !== undefined) {
      editor.dispatch({ selection: { anchor: Math.min(start, editor.state.doc.length) } });
      editor.focus();
    }
    return () => {
      view.current = null;
      editor.destroy();
    };
  }, []);

  const { id, "aria-describedby": describedBy, "aria-invalid": invalid, "aria-required": required } = control;
  useEffect(() => {
    const names = { id, "aria-describedby": describedBy, "aria-invalid": invalid, "aria-required": required };
    view.current?.dispatch({
      effects: attributes.current.reconfigure(contentAttributes(names, label, { multiline })),
    });
  }, [id, describedBy, invalid, required, label, multiline]);

  // A value that changes from outside, by undo or a reset, replaces the text.
  useEffect(() => {
    const editor = view.current;
    if (editor === null || editor.state.doc.toString() === value) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
  }, [value]);

  useEffect(() => {
    view.current?.dispatch({ effects: setTrouble.of(trouble?.position ?? null) });
  }, [trouble]);

  return (
    <div
      ref={parent}
      data-invalid={invalid || undefined}
      className={[
        "overflow-hidden rounded-md border border-line-strong bg-surface focus-within:border-select focus-within:ring-1 focus-within:ring-select hover:border-faint data-invalid:border-danger",
        mono ? "font-mono text-xs" : "text-sm",
        large
          ? "[&_.cm-content]:min-h-[50dvh]! [&_.cm-scroller]:max-h-[50dvh]"
          : multiline
            ? "[&_.cm-content]:min-h-[74px]! [&_.cm-scroller]:max-h-80"
            : "[&_.cm-scroller]:max-h-32",
      ].join(" ")}
    />
  );
}
