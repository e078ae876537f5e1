/** A field that is nothing but one part for the model to fill in. */
const wholeByModel = /^\s*\{\{\s*ai\s*\([^{}]*\)\s*\}\}\s*$/;

/** Whether the model gives all of a field: told by its look, so that a card is drawn without the expression language. */
export function isWholeByModel(text: string): boolean {
  return wholeByModel.test(text);
}
