/** How many characters have to be put in, taken out or replaced to make one text of the other (Levenshtein 1966). */
export function editDistance(a: string, b: string): number {
  let row = Int32Array.from({ length: b.length + 1 }, (_, index) => index);
  let next = new Int32Array(b.length + 1);
  for (let i = 1; i <= a.length; i += 1) {
    next[0] = i;
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (a.charCodeAt(i - 1) === b.charCodeAt(j - 1) ? 0 : 1);
      next[j] = Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1);
    }
    [row, next] = [next, row];
  }
  return row[b.length] ?? 0;
}
