/** About how many characters a value has as JSON; counting stops once it is above `enough`. */
export function weightOf(value: unknown, enough: number): number {
  let weight = 0;
  const left: unknown[] = [value];
  while (left.length > 0 && weight <= enough) {
    const next = left.pop();
    if (typeof next === "string") weight += next.length + 2;
    else if (Array.isArray(next)) for (const each of next) left.push(each);
    else if (typeof next === "object" && next !== null) {
      for (const [key, each] of Object.entries(next)) {
        weight += key.length + 4;
        left.push(each);
      }
    } else weight += 5;
  }
  return weight;
}
