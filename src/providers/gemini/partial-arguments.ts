import type { PartialArg } from "@google/genai/web";

type Container = Record<string, unknown> | unknown[];

/** Adds pieces of arguments to what is there: each has its place as a JSON path, and texts grow piece by piece. */
export function addPartialArguments(args: Record<string, unknown>, pieces: readonly PartialArg[]): void {
  for (const { jsonPath = "", stringValue, numberValue, boolValue, nullValue } of pieces) {
    const steps = [...jsonPath.matchAll(/\.([^.[\]]+)|\[(\d+)\]|\['([^']+)'\]/g)].map(([, name, index, quoted]) =>
      index === undefined ? (name ?? quoted ?? "") : Number(index),
    );
    const last = steps.pop();
    if (last === undefined) continue;
    const place = containerAt(args, steps, last);
    if (!place) continue;
    if (stringValue !== undefined) {
      const before = read(place, last);
      write(place, last, typeof before === "string" ? before + stringValue : stringValue);
    } else if (nullValue !== undefined) write(place, last, null);
    else if (numberValue !== undefined || boolValue !== undefined) write(place, last, numberValue ?? boolValue);
  }
}

type Step = string | number;

/** The object or list that a path leads to; what is missing on the way is made. */
function containerAt(root: Container, steps: readonly Step[], last: Step): Container | undefined {
  let here: Container = root;
  for (const [place, step] of steps.entries()) {
    let next = read(here, step);
    if (next === undefined) {
      next = typeof (steps[place + 1] ?? last) === "number" ? [] : {};
      write(here, step, next);
    }
    if (!isContainer(next)) return undefined;
    here = next;
  }
  return here;
}

function isContainer(value: unknown): value is Container {
  return typeof value === "object" && value !== null;
}

function read(container: Container, step: Step): unknown {
  if (Array.isArray(container)) return typeof step === "number" ? container[step] : undefined;
  return Object.hasOwn(container, step) ? container[step] : undefined;
}

/** As an own member, whatever its name. */
function write(container: Container, step: Step, value: unknown): void {
  if (Array.isArray(container)) {
    if (typeof step === "number" && step <= container.length) container[step] = value;
  } else Object.defineProperty(container, step, { value, writable: true, enumerable: true, configurable: true });
}
