import type { Json } from "../json.ts";

/** The variables that an expression sees. */
export interface TemplateScope {
  /** The value of a variable, or undefined when there is none. A Date is `now`. */
  get(name: string): Json | Date | undefined;
  /** All variable names, for completion and for the nearest name in an error. */
  names(): Iterable<string>;
  /** Milliseconds since 1970, to bound how long an expression may take. */
  clock(): number;
}

/** A scope over a plain record, for previews in the editor and for tests. Only the record's own keys are variables. */
export function recordScope(
  variables: Readonly<Record<string, Json | Date>>,
  clock: () => number = () => 0,
): TemplateScope {
  return {
    get: (name) => (Object.hasOwn(variables, name) ? variables[name] : undefined),
    names: () => Object.keys(variables),
    clock,
  };
}
