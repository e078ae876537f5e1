import { RunError } from "../../../engine/errors.ts";

/** A name in double quotes, so that it can be nothing but a name. */
export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;

const part = /^(?:"((?:[^"]|"")+)"|([^".]+))(?:\.(?=.)|$)/;

/** `table` or `schema.table` in quotes, always with its schema. Throws a RunError of code `invalid_config`. */
export function quoteTable(text: string): string {
  const parts: string[] = [];
  let rest = text.trim();
  while (rest !== "") {
    const match = part.exec(rest);
    if (match === null) throw notAName();
    parts.push(match[1]?.replaceAll('""', '"') ?? (match[2] ?? "").trim());
    rest = rest.slice(match[0].length);
  }
  const [first, second, ...more] = parts;
  if (first === undefined || more.length > 0) throw notAName();
  return (second === undefined ? ["public", first] : [first, second]).map(quoteName).join(".");
}

function notAName(): RunError {
  return new RunError({
    code: "invalid_config",
    message: "The table's name cannot be read.",
    hint: 'Write it as table or schema.table; put a part with dots in double quotes, such as "my.table".',
  });
}
