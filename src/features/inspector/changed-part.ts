/** Characters left standing on each side of what differs. */
const around = 60;

/** Both texts from shortly before their first difference to shortly after their last, so that one word is found in a long text. */
export function changedPart(before: string, after: string): { before: string; after: string } {
  const [left, right] = [[...before], [...after]];
  const shorter = Math.min(left.length, right.length);
  let head = 0;
  while (head < shorter && left[head] === right[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && left.at(-1 - tail) === right.at(-1 - tail)) tail += 1;
  const start = Math.max(0, head - around);
  const end = Math.max(0, tail - around);
  const cut = (characters: string[]) =>
    `${start > 0 ? "…" : ""}${characters.slice(start, characters.length - end).join("")}${end > 0 ? "…" : ""}`;
  return { before: cut(left), after: cut(right) };
}
