import type { Value } from "./values.ts";

/** One function that expressions may call. */
export interface ExpressionFunction {
  /** How it is written and what it gives, for the completion list. */
  detail: string;
  /** How many arguments it takes: least and most. */
  takes: readonly [number, number];
  /** The CEL type of what it gives. */
  gives: "dyn" | "string" | "double" | "bool" | "list" | "map" | "google.protobuf.Timestamp";
  /** Gets opened values; a missing one is undefined. Throws what `unfit` makes. */
  run(...values: Value[]): Value;
}

/** Functions by name. */
export type FunctionTable = Readonly<Record<string, ExpressionFunction>>;
