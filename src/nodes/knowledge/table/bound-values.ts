import type { Json } from "../../../engine/json.ts";

/** Values that travel beside a statement. */
export interface BoundValues {
  /** What stands for the value in the statement: `$1` for the first. */
  bind(value: Json): string;
  readonly values: readonly Json[];
}

export function boundValues(): BoundValues {
  const values: Json[] = [];
  return { bind: (value) => `$${values.push(value)}`, values };
}
