import type { Json } from "../json.ts";
import { pathText, type PathStep } from "./path.ts";

/**
 * The expression that gives the value at `keys` below a variable, such as `json.items[0].name`; `value` is the variable's,
 * which says what is a list.
 */
export function pathAt(variable: string, value: Json | undefined, keys: readonly string[]): string {
  const steps: PathStep[] = [];
  let current: unknown = value;
  for (const key of keys) {
    const isList = Array.isArray(current);
    steps.push({ key: isList ? Number(key) : key, position: 0 });
    current = typeof current === "object" && current !== null ? Reflect.get(current, key) : undefined;
  }
  return pathText({ variable, position: 0, steps });
}

/** The keys of a JSON Pointer (RFC 6901) without its first part. */
export function pointerKeys(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
}
