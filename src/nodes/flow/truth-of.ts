import { RunError } from "../../engine/errors.ts";

/** What a condition came to. Throws a RunError for anything but true and false. */
export function truthOf(value: boolean | string): boolean {
  if (typeof value === "boolean") return value;
  const word = value.trim().toLowerCase();
  if (word === "true") return true;
  if (word === "false") return false;
  throw new RunError({
    code: "invalid_config",
    message: `The condition gave the text ${JSON.stringify(value.slice(0, 60))} instead of true or false.`,
    hint: "Write a comparison in double braces, such as {{json.count > 3}}.",
  });
}
