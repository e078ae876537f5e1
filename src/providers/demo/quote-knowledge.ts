import { isJsonObject, type Json } from "../../engine/json.ts";

/** The longest quotation, in characters. */
const maxQuoted = 600;

function text(value: Json | undefined): string {
  return typeof value === "string" ? value.trim() : "";
}

/** "Returns.md › Refunds", from a hit's metadata. */
function sourceOf(metadata: Json | undefined): string {
  if (!isJsonObject(metadata)) return "";
  return [text(metadata["document"]), text(metadata["heading"])].filter((part) => part !== "").join(" › ");
}

/**
 * What the demo model says of a search in a knowledge base: the best hit word for word, and its document. Undefined for
 * the result of any other tool, which has no `results` with `content` and `metadata.document`.
 */
export function quoteKnowledge(result: Json | undefined): string | undefined {
  if (!isJsonObject(result) || !Array.isArray(result["results"]) || !("collection" in result)) return undefined;
  const first: Json | undefined = result["results"][0];
  if (first === undefined) return `I searched ${text(result["collection"])} and found nothing about that.`;
  if (!isJsonObject(first)) return undefined;
  const [content, source] = [text(first["content"]), sourceOf(first["metadata"])];
  if (content === "" || source === "") return undefined;
  const cut = content.length > maxQuoted ? `${content.slice(0, maxQuoted)}…` : content;
  const quoted = cut
    .split("\n")
    .map((line) => `> ${line}`.trimEnd())
    .join("\n");
  return `${source} says:\n\n${quoted}`;
}
