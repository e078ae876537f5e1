import { isJsonObject, type Json } from "../../engine/json.ts";
import { type DocumentMetadata, validMetadata } from "../../engine/knowledge/document-metadata.ts";
import { frontMatter } from "./read-markdown.ts";

/** Characters of front matter that are read. */
const longest = 16_000;

/**
 * What the front matter of a Markdown file says by which it can be found: texts, numbers, true, false and lists of texts. What is none of
 * these is left out; undefined without front matter, and where it is no YAML.
 */
export async function readFrontMatter(text: string): Promise<DocumentMetadata | undefined> {
  const [, written] = frontMatter.exec(text) ?? [];
  if (written === undefined || written.length > longest) return undefined;
  const { parse } = await import("yaml");
  try {
    const read = parse(written, { maxAliasCount: 10, logLevel: "error" }) as Json;
    return isJsonObject(read) ? validMetadata(read) : undefined;
  } catch {
    return undefined;
  }
}
