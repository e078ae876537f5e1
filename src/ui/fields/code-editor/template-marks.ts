import { RangeSetBuilder, StateEffect, StateField } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  EditorView,
  type PluginValue,
  ViewPlugin,
  type ViewUpdate,
} from "@codemirror/view";

const expression = Decoration.mark({ class: "cm-expression" });
const trouble = Decoration.mark({ class: "cm-trouble" });

/** From `{{` to its `}}`, or to the end of the text while it is open. */
const expressions = /\{\{[^]*?(?:\}\}|$)/g;

function marksOf(view: EditorView): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  for (const found of view.state.doc.toString().matchAll(expressions)) {
    builder.add(found.index, found.index + found[0].length, expression);
  }
  return builder.finish();
}

class ExpressionMarks implements PluginValue {
  marks: DecorationSet;
  constructor(view: EditorView) {
    this.marks = marksOf(view);
  }
  update(update: ViewUpdate): void {
    if (update.docChanged) this.marks = marksOf(update.view);
  }
}

/** Gives the expressions of a template a look of their own. */
export const expressionMarks = ViewPlugin.fromClass(ExpressionMarks, { decorations: (plugin) => plugin.marks });

/** Sets the character at which something is wrong, or null. */
export const setTrouble = StateEffect.define<number | null>();

/** Underlines the word at which something is wrong, until told otherwise. */
export const troubleMark = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    let next = marks.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (!effect.is(setTrouble)) continue;
      const { doc } = transaction.state;
      if (effect.value === null || doc.length === 0) {
        next = Decoration.none;
        continue;
      }
      const from = Math.min(effect.value, doc.length - 1);
      const word = /^[\w$]+/.exec(doc.sliceString(from, Math.min(doc.length, from + 200)))?.[0].length ?? 1;
      next = Decoration.set([trouble.range(from, from + word)]);
    }
    return next;
  },
  provide: (field) => EditorView.decorations.from(field),
});
