import { z } from "zod/mini";
import { isJsonObject, type Json } from "../json.ts";
import { nearestName } from "../template/nearest-name.ts";

/** A key that a schema does not have. */
export interface UnknownKey {
  /** Where it stands: names, and numbers within lists. */
  path: readonly (string | number)[];
  /** The name of that place that it most likely stands for. */
  nearest?: string;
}

/**
 * Keys of a value that its schema does not have and that parsing drops, at any depth. What a schema takes as it is (a JSON value, a
 * schema, a record's own names) holds none. A value that does not fit is told elsewhere.
 */
export function unknownKeys(type: z.core.$ZodType, value: unknown, path: UnknownKey["path"] = []): UnknownKey[] {
  if (typeof value !== "object" || value === null) return [];
  const inner = unwrapped(type);
  if (inner instanceof z.core.$ZodObject && isJsonObject(value)) {
    const { shape, catchall } = inner._zod.def;
    const isOpen = catchall !== undefined && !(catchall instanceof z.core.$ZodNever);
    return Object.entries(value).flatMap(([key, each]) => {
      const known = Object.hasOwn(shape, key) ? shape[key] : undefined;
      if (known) return unknownKeys(known, each, [...path, key]);
      return isOpen ? [] : [named([...path, key], Object.keys(shape))];
    });
  }
  if (inner instanceof z.core.$ZodArray && Array.isArray(value))
    return value.flatMap((each: Json, index) => unknownKeys(inner._zod.def.element, each, [...path, index]));
  if (inner instanceof z.core.$ZodRecord && isJsonObject(value))
    return Object.entries(value).flatMap(([key, each]) => unknownKeys(inner._zod.def.valueType, each, [...path, key]));
  if (inner instanceof z.core.$ZodUnion) {
    // The form that is meant is the one that fits, with the fewest keys too many.
    const fitting = inner._zod.def.options.filter((option) => z.safeParse(option, value).success);
    const found = fitting.map((option) => unknownKeys(option, value, path));
    return found.toSorted((a, b) => a.length - b.length)[0] ?? [];
  }
  return [];
}

function unwrapped(type: z.core.$ZodType): z.core.$ZodType {
  let current = type;
  for (;;) {
    if (
      current instanceof z.core.$ZodOptional ||
      current instanceof z.core.$ZodNullable ||
      current instanceof z.core.$ZodDefault ||
      current instanceof z.core.$ZodPrefault ||
      current instanceof z.core.$ZodCatch ||
      current instanceof z.core.$ZodReadonly
    )
      current = current._zod.def.innerType;
    else if (current instanceof z.core.$ZodPipe) current = current._zod.def.in;
    else if (current instanceof z.core.$ZodLazy) current = current._zod.def.getter();
    else return current;
  }
}

function named(path: UnknownKey["path"], names: readonly string[]): UnknownKey {
  const nearest = nearestName(String(path.at(-1)), names);
  return { path, ...(nearest === undefined ? {} : { nearest }) };
}

/** A path in words: `nodes.agent.config.headers[0].nam`. */
export function pathText(path: UnknownKey["path"]): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === "number") return `${text}[${step}]`;
    if (!/^[\p{L}\p{N}_-]+$/u.test(step)) return `${text}[${JSON.stringify(step)}]`;
    return text === "" ? step : `${text}.${step}`;
  }, "");
}
