import type { DocumentTable, TableCell } from "../../engine/file/documents.ts";
import type { Json } from "../../engine/json.ts";
import { DocumentError } from "../document-error.ts";
import { tablesOf } from "./tables-of.ts";

/** Data as Markdown: a text as it is, a list as a table, anything else as its JSON. */
export function markdownOf(content: Json): string {
  if (typeof content === "string") return content;
  try {
    return tablesOf(content).map(markdownTable).join("\n\n");
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    return `\`\`\`json\n${JSON.stringify(content, null, 2)}\n\`\`\``;
  }
}

function markdownTable({ name, rows }: DocumentTable): string {
  const [header = [], ...body] = rows;
  const width = Math.max(...rows.slice(0, 1_000).map((row) => row.length), 1);
  const line = (row: readonly TableCell[]) =>
    `| ${Array.from({ length: width }, (_, index) => cellText(row[index] ?? null)).join(" | ")} |`;
  const rule = `|${" --- |".repeat(width)}`;
  return [...(name === "" ? [] : [`## ${name}`, ""]), line(header), rule, ...body.map(line)].join("\n");
}

function cellText(cell: TableCell): string {
  return String(cell ?? "")
    .replace(/[\\|`*_<>[\]]/g, "\\$&")
    .replace(/\s*\n\s*/g, " ");
}
