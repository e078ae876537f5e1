const maxArguments = 15;

/** Pieces of text in a row. Functions take a limited number of arguments, so that long texts are put together in steps. */
export function concat(pieces: readonly string[]): string {
  if (pieces.length <= maxArguments) return `concat(${pieces.join(", ")})`;
  const groups: string[] = [];
  for (let at = 0; at < pieces.length; at += maxArguments) groups.push(concat(pieces.slice(at, at + maxArguments)));
  return concat(groups);
}
