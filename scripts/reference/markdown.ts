import type { Json } from "../../src/engine/json.ts";

/** A plain text within Markdown: nothing in it is markup, and it stays on its line of a table. */
export function plain(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .replace(/[\\`*_|<>[\]]/g, "\\$&")
    .trim();
}

/** A text as code; a backtick within it is kept. */
export function code(text: string): string {
  const line = text.replace(/\s+/g, " ").replace(/\|/g, "\\|");
  return line.includes("`") ? `\`\` ${line} \`\`` : `\`${line}\``;
}

const mostCharacters = 60;

/** A JSON value as code, cut where it is long: a text as it is, anything else as JSON. */
export function value(json: Json): string {
  const text = typeof json === "string" ? json : JSON.stringify(json);
  return text.length > mostCharacters ? `${code(text.slice(0, mostCharacters))} …` : code(text);
}

/** A table; cells are Markdown. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** The address of a heading on its page, as GitHub makes it. */
export function anchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replace(/\s/g, "-");
}
