import type { Json } from "../../../src/engine/json.ts";

/** Reads `{1,NULL,"a \"b\""}` as Postgres writes arrays, with its brackets inside; text that is none comes back as it is. */
export function parseArrayLiteral(text: string, decode: (item: string) => Json): Json {
  // Bounds other than 1 stand before the braces: `[0:2]={1,2,3}`.
  const start = text.indexOf("{");
  if (start < 0 || (start > 0 && !/^(\[[-\d]+:[-\d]+\])+=$/.test(text.slice(0, start)))) return text;
  const stack: Json[][] = [[]];
  let index = start;
  while (index < text.length) {
    const character = text[index];
    if (character === "{") {
      stack.push([]);
      index += 1;
    } else if (character === "}") {
      const list = stack.pop() ?? [];
      stack.at(-1)?.push(list);
      index += 1;
    } else if (character === ",") {
      index += 1;
    } else {
      const item = readItem(text, index);
      stack.at(-1)?.push(item.quoted || item.text !== "NULL" ? decode(item.text) : null);
      index = item.end;
    }
  }
  return stack[0]?.[0] ?? text;
}

function readItem(text: string, start: number): { text: string; end: number; quoted: boolean } {
  if (text[start] !== '"') {
    const rest = /[,}]/.exec(text.slice(start));
    const end = rest === null ? text.length : start + rest.index;
    return { text: text.slice(start, end), end, quoted: false };
  }
  let read = "";
  let index = start + 1;
  while (index < text.length && text[index] !== '"') {
    if (text[index] === "\\") index += 1;
    read += text[index] ?? "";
    index += 1;
  }
  return { text: read, end: index + 1, quoted: true };
}
