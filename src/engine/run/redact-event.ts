import type { RunEventBody } from "./events.ts";

/** The event with every text in it redacted, at any depth; parts without a secret are shared, not copied. */
export function redactEvent(event: RunEventBody, redact: (text: string) => string): RunEventBody {
  const clean = { ...event };
  redactInto(clean, redact);
  return clean;
}

/** Replaces the values of an own copy in place; nested values are copied only where something changes. */
function redactInto(copy: object, redact: (text: string) => string): void {
  for (const [key, value] of Object.entries(copy)) {
    const clean = redactValue(value, redact);
    if (clean !== value) Reflect.set(copy, key, clean);
  }
}

function redactValue(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === "string") return redact(value);
  if (typeof value !== "object" || value === null) return value;
  let copy: object | undefined;
  for (const [key, inner] of Object.entries(value)) {
    const clean = redactValue(inner, redact);
    const cleanKey = Array.isArray(value) ? key : redact(key);
    if (clean === inner && cleanKey === key) continue;
    copy ??= Array.isArray(value) ? [...value] : { ...value };
    if (cleanKey !== key) Reflect.deleteProperty(copy, key);
    Reflect.set(copy, cleanKey, clean);
  }
  return copy ?? value;
}
