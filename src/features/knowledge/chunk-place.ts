import type { JsonObject } from "../../engine/json.ts";

function numbered(word: string, value: unknown): string[] {
  return typeof value === "number" ? [`${word} ${value}`] : [];
}

/** Where a chunk stands in its document: "Refunds › When · page 3 · chunk 5". */
export function chunkPlace(metadata: JsonObject & { heading: string; position: number }): string {
  const { heading, position, page, row } = metadata;
  return [
    ...(heading === "" ? [] : [heading]),
    ...numbered("page", page),
    ...numbered("row", row),
    `chunk ${position + 1}`,
  ].join(" · ");
}
