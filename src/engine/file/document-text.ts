import type { ReadDocument } from "./documents.ts";

/** The text of a document: as it is written, or its sections under their headings. */
export function documentText({ kind, source, sections }: ReadDocument): string {
  if (source !== undefined && kind !== "html") return source;
  let path = "";
  const pieces = sections.flatMap(({ headings, text }) => {
    const heading = headings.join("\n");
    const isNew = heading !== path && heading !== "";
    path = heading;
    const last = headings.at(-1);
    return isNew && last !== undefined && last !== text ? [last, text] : [text];
  });
  return pieces.join("\n\n");
}
