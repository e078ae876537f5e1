import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";

/** A variable that the code sees. */
export interface CodeName {
  name: string;
  /** Its type or what it is, in a few words. */
  detail?: string;
}

/** What the sandbox offers besides the language itself. */
const globals: readonly Completion[] = [
  "console",
  "JSON",
  "Math",
  "Date",
  "Object",
  "Array",
  "String",
  "Number",
  "Map",
  "Set",
].map((label) => ({ label, type: "namespace", boost: -1 }));

/** Completes the declared variables, first, and the sandbox's globals; nothing after a dot or inside a word of a property. */
export function completeNames(names: () => readonly CodeName[]) {
  return (context: CompletionContext): CompletionResult | null => {
    const word = context.matchBefore(/[\w$]*/);
    if (word === null || (word.from === word.to && !context.explicit)) return null;
    if (context.state.sliceDoc(Math.max(0, word.from - 1), word.from) === ".") return null;
    const own = names().map(({ name, detail }): Completion => ({ label: name, type: "variable", detail, boost: 2 }));
    return { from: word.from, options: [...own, ...globals], validFor: /^[\w$]*$/ };
  };
}
