/** Levels of lists and objects that CEL computes with: it writes and keeps the type of what it compares, level by level. */
export const maxLevels = 500;

/** Data never changes, so that it is looked through once. */
const shallow = new WeakSet<object>();

/** Whether data is nested deeper than `maxLevels`. */
export function isTooDeep(value: unknown): boolean {
  if (typeof value !== "object" || value === null || shallow.has(value)) return false;
  // Values that are put together for one expression have parts that stay.
  for (const part of Object.values(value)) {
    if (typeof part !== "object" || part === null || shallow.has(part)) continue;
    if (nestsDeeper(part, maxLevels - 1)) return true;
    shallow.add(part);
  }
  shallow.add(value);
  return false;
}

function nestsDeeper(value: object, levels: number): boolean {
  if (levels === 0) return true;
  for (const part of Object.values(value)) {
    if (typeof part === "object" && part !== null && nestsDeeper(part, levels - 1)) return true;
  }
  return false;
}
