import { isJsonObject, type Json, type JsonObject } from "../json.ts";
import { nearestName } from "./nearest-name.ts";
import type { TemplateScope } from "./scope.ts";
import { TemplateProblem } from "./template-problem.ts";

/** One step of a path such as `json.items[0].name`, and where it stands in the expression. */
export interface PathStep {
  key: string | number;
  position: number;
}

/** A path from a variable down; the commonest expression, read without CEL. */
export interface Path {
  variable: string;
  position: number;
  steps: readonly PathStep[];
}

/** Whether a key can follow a dot. */
export function isIdentifier(key: string): boolean {
  return /^[A-Za-z_]\w*$/.test(key);
}

/** `json.items[0]` for messages. */
export function pathText(path: Path, length: number = path.steps.length): string {
  let text = path.variable;
  for (const step of path.steps.slice(0, length)) {
    if (typeof step.key === "number") text += `[${step.key}]`;
    else if (isIdentifier(step.key)) text += `.${step.key}`;
    else text += `[${JSON.stringify(step.key)}]`;
  }
  return text;
}

/**
 * The value at a path: own properties and list items only. Throws a TemplateProblem of kind `missing` that names the
 * first part that does not exist and the nearest name that does.
 */
export function readPath(path: Path, scope: TemplateScope): Json | Date {
  let value = scope.get(path.variable);
  if (value === undefined) {
    throw missing(path, 0, path.position, path.variable, [...scope.names()]);
  }
  for (const [index, step] of path.steps.entries()) {
    const next = ownValue(value, step.key);
    if (next === undefined) {
      const names = isPlainObject(value) ? Object.keys(value) : [];
      throw missing(path, index + 1, step.position, String(step.key), names, value);
    }
    value = next;
  }
  return value;
}

function isPlainObject(value: Json | Date | undefined): value is JsonObject {
  return isJsonObject(value) && !(value instanceof Date);
}

function ownValue(value: Json | Date, key: string | number): Json | undefined {
  if (Array.isArray(value)) {
    return typeof key === "number" && Number.isInteger(key) && key >= 0 ? value[key] : undefined;
  }
  if (isPlainObject(value)) return Object.hasOwn(value, String(key)) ? value[key] : undefined;
  return undefined;
}

function missing(
  path: Path,
  length: number,
  position: number,
  name: string,
  names: readonly string[],
  holder?: Json | Date,
): TemplateProblem {
  const near = nearestName(name, names);
  const message = `"${pathText(path, length)}" does not exist.`;
  const above = pathText(path, Math.max(0, length - 1));
  let hint: string;
  if (near !== undefined) hint = `Did you mean "${near}"?`;
  else if (Array.isArray(holder)) hint = `"${above}" is a list of ${holder.length} items, numbered from 0.`;
  else if (names.length > 0) hint = `There is: ${names.slice(0, 12).join(", ")}${names.length > 12 ? ", …" : ""}.`;
  else if (holder === null) hint = `"${above}" is null.`;
  else if (isPlainObject(holder)) hint = `"${above}" is an empty object.`;
  else hint = `"${above}" is a ${typeof holder} and has nothing inside.`;
  return new TemplateProblem("missing", position, message, hint);
}
