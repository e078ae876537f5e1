import { z } from "zod/mini";
import type { Json } from "../../json.ts";

/**
 * A value from outside that a person has confirmed for one argument of one tool. `argument`: the names on the way to it, with dots
 * between them, whatever the place in a list.
 */
export const confirmedValueSchema = z.object({
  tool: z.string(),
  argument: z.string(),
  value: z.union([z.string(), z.number()]),
});
export type ConfirmedValue = z.infer<typeof confirmedValueSchema>;

/** What a person has confirmed in this run. It is no word of his: it names no record, and asks for no call. */
export class ConfirmedValues {
  private readonly known = new Set<string>();

  add({ tool, argument, value }: ConfirmedValue): void {
    this.known.add(keyOf(tool, argument, value));
  }

  /** Whether this very value was confirmed for this argument of this tool. `path`: from the arguments on. */
  has(tool: string, path: readonly (string | number)[], value: Json): boolean {
    if (typeof value !== "string" && typeof value !== "number") return false;
    return this.known.has(keyOf(tool, argumentPath(path), value));
  }
}

/** An argument by its names: `message.to`, whatever the place in a list. */
function argumentPath(path: readonly (string | number)[]): string {
  return path.filter((step) => typeof step === "string").join(".");
}

function keyOf(tool: string, argument: string, value: string | number): string {
  const text = String(value).trim().normalize("NFC");
  return JSON.stringify([tool, argument, /^[^\s@]+@[^\s@]+$/u.test(text) ? text.toLowerCase() : text]);
}
