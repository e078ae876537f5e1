import type { TooLongChunk } from "./ingest-document.ts";

const named = 3;

/** What to say of a document some of whose chunks are too long for the embedding model. */
export function tooLongFailure(
  tooLong: readonly TooLongChunk[],
  total: number,
  model: string,
): { message: string; hint: string } {
  const [first] = tooLong;
  const list = tooLong.slice(0, named).map(({ position, heading }) => {
    const number = (position + 1).toLocaleString("en");
    return heading === "" ? number : `${number} (“${heading.slice(-60)}”)`;
  });
  const more = tooLong.length > named ? ` and ${tooLong.length - named} more` : "";
  const chunks = `${total.toLocaleString("en")} ${total === 1 ? "chunk" : "chunks"} ${tooLong.length === 1 ? "is" : "are"}`;
  return {
    message: `${tooLong.length} of ${chunks} too long for ${model}: ${list.join(", ")}${more}. ${first?.reason ?? ""}`,
    hint: "All are stored; these are found by their words, the others by meaning as well. Choose a smaller chunk size in the collection's settings and split the documents again.",
  };
}
