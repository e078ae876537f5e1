/** Characters that turn the text around them: overrides, embeddings and isolates (UAX #9). Names have no need of them. */
const turning = /[\u202a-\u202e\u2066-\u2069]/g;

/**
 * A name from outside (of a workflow, a node, a file) as it may stand in a sentence: what would show `gnp.exe` as `exe.png`, or turn
 * the words around it, becomes the replacement character.
 */
export function visibleName(name: string): string {
  return name.replace(turning, "\ufffd");
}
