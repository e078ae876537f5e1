import { z } from "zod/mini";
import { RunError } from "../../../engine/errors.ts";
import type { FileValue } from "../../../engine/file/file.ts";
import { fileName, mediaTypeOf } from "../../../engine/file/file-name.ts";
import { bytesOfBase64 } from "../../../engine/model/data-url.ts";
import type { ToolResult } from "../../../engine/tool/tool.ts";
import { decodeText } from "../../../engine/text/decode-text.ts";
import { isTextType } from "../../../engine/text/text-type.ts";
import { isJsonObject, type Json } from "../../../engine/json.ts";

const part = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("text"), text: z.string() }),
  z.looseObject({ type: z.literal("image"), data: z.string(), mimeType: z.string(), uri: z.optional(z.string()) }),
  z.looseObject({ type: z.literal("audio"), data: z.string(), mimeType: z.string() }),
  z.looseObject({ type: z.literal("resource_link"), uri: z.string(), name: z.optional(z.string()) }),
  z.looseObject({
    type: z.literal("resource"),
    resource: z.looseObject({
      uri: z.string(),
      mimeType: z.optional(z.string()),
      text: z.optional(z.string()),
      blob: z.optional(z.string()),
    }),
  }),
]);

const callResult = z.looseObject({
  content: z.optional(z.unknown()),
  structuredContent: z.nullish(z.json()),
  isError: z.optional(z.unknown()),
});

/** The parts of a result. Some servers send one part, or only its text. */
function partsOf(content: unknown): unknown[] {
  if (content === undefined || content === null) return [];
  if (Array.isArray(content)) return content;
  return [typeof content === "string" ? { type: "text", text: content } : content];
}

/** Whether a mark of an error says so, also one that is no boolean. */
const saysSo = (mark: unknown) => Boolean(mark) && mark !== "false";

type Part = z.infer<typeof part>;

/** Bytes that a base64 text stands for. */
function byteCount(base64: string): number {
  return Math.floor((base64.replace(/=+$/, "").length * 3) / 4);
}

type Resource = Extract<Part, { type: "resource" }>["resource"];

/** The text of a resource, also of one that is sent as bytes; undefined for what is no text. */
export function textOfResource({
  text,
  blob,
  mimeType = "",
}: Pick<Resource, "text" | "blob" | "mimeType">): string | undefined {
  if (text !== undefined || blob === undefined || !isTextType(mimeType)) return text;
  try {
    const bytes = Uint8Array.from(atob(blob), (character) => character.charCodeAt(0));
    return decodeText(bytes, { contentType: mimeType });
  } catch {
    return undefined;
  }
}

/** Keeps bytes that a server sent as a file of the run. Throws a RunError where that cannot be done. */
export type KeepFile = (name: string, mediaType: string, bytes: Uint8Array<ArrayBuffer>) => Promise<FileValue>;

/** What a part is as a file; undefined for what is text, or whose bytes cannot be read. */
function fileOf(content: Part): { name: string; mediaType: string; bytes: Uint8Array<ArrayBuffer> } | undefined {
  if (content.type === "image" || content.type === "audio") {
    const mediaType = mediaTypeOf(content.mimeType);
    const ending = /\/(?:x-)?([a-z0-9]+)/.exec(mediaType)?.[1];
    const usual = `${content.type}${ending === undefined ? "" : `.${ending}`}`;
    const bytes = bytesOfBase64(content.data);
    const name = content.type === "image" && content.uri !== undefined ? nameOf(content.uri, usual) : usual;
    return bytes && { name, mediaType, bytes };
  }
  if (content.type !== "resource") return undefined;
  const { uri, mimeType, blob } = content.resource;
  if (blob === undefined || textOfResource(content.resource) !== undefined) return undefined;
  const bytes = bytesOfBase64(blob);
  return bytes && { name: nameOf(uri, "resource"), mediaType: mediaTypeOf(mimeType), bytes };
}

/** The last part of an address as a file's name. */
function nameOf(uri: string, usual: string): string {
  return fileName(uri.replace(/[?#].*$/s, ""), usual);
}

/** One part in words for the model; binary ones are described. A model that sees is shown pictures besides. */
function wordsOf(content: Part): string {
  switch (content.type) {
    case "text":
      return content.text;
    case "image":
    case "audio":
      return `[${content.type}, ${content.mimeType}, ${byteCount(content.data)} bytes]`;
    case "resource_link":
      return `[resource ${content.name ?? ""} ${content.uri}]`;
    case "resource": {
      const { uri, mimeType = "unknown type", blob = "" } = content.resource;
      const text = textOfResource(content.resource);
      return text === undefined ? `[resource ${uri}, ${mimeType}, ${byteCount(blob)} bytes]` : `${uri}:\n${text}`;
    }
  }
}

/** One part as data for the log. Images stay whole, so that they can be looked at. */
function dataOf(content: Part): Json {
  switch (content.type) {
    case "text":
      return content.text;
    case "image":
      return { type: "image", mimeType: content.mimeType, data: content.data };
    case "audio":
      return { type: "audio", mimeType: content.mimeType, bytes: byteCount(content.data) };
    case "resource_link":
      return { type: "resource_link", uri: content.uri, name: content.name ?? "" };
    case "resource": {
      const { uri, mimeType = "", blob = "" } = content.resource;
      const text = textOfResource(content.resource);
      const body: { text: string } | { bytes: number } = text === undefined ? { bytes: byteCount(blob) } : { text };
      return { type: "resource", uri, mimeType, ...body };
    }
  }
}

/**
 * A `tools/call` result as the engine knows results. Pictures, recordings and resources of bytes become files of the run where
 * `keep` is given. Parts of a kind that is not known are named and left out. What the server marks as an error is a failed result
 * with the server's words.
 */
export async function mapResult(value: unknown, keep?: KeepFile): Promise<ToolResult> {
  const parsed = callResult.safeParse(value);
  if (!parsed.success) {
    return { ok: false, error: { message: "The MCP server's result cannot be read.", code: "tool_error" } };
  }
  const { content, structuredContent, isError } = parsed.data;
  const { words, data } = await readParts(partsOf(content), saysSo(isError) ? undefined : keep);
  const text = words.join("\n");
  if (saysSo(isError)) {
    return {
      ok: false,
      error: { message: text === "" ? "The tool failed without a reason." : text, code: "tool_error" },
    };
  }
  const onlyText = data.every((item) => typeof item === "string");
  const structured = structuredContent ?? undefined;
  if (structured !== undefined && onlyText) return { ok: true, output: structured };
  if (onlyText && data.length === words.length) return { ok: true, output: text };
  return { ok: true, output: structured === undefined ? data : [structured, ...data], text };
}

/** Parts in words for the model, one each, and as data for the log, or as files. */
export async function readParts(
  content: readonly unknown[],
  keep: KeepFile | undefined,
): Promise<{ words: string[]; data: Json[] }> {
  const words: string[] = [];
  const data: Json[] = [];
  for (const raw of content) {
    const known = part.safeParse(raw);
    if (!known.success) words.push(`[a part of the unknown kind "${kindOf(raw)}"]`);
    else {
      const kept = await keptPart(known.data, keep);
      words.push(kept.words);
      data.push(kept.data);
    }
  }
  return { words, data };
}

async function keptPart(content: Part, keep: KeepFile | undefined): Promise<{ words: string; data: Json }> {
  const described = { words: wordsOf(content), data: dataOf(content) };
  const found = keep && fileOf(content);
  if (!found) return described;
  try {
    return { words: described.words, data: { ...(await keep(found.name, found.mediaType, found.bytes)) } };
  } catch (error) {
    // The call is made: what cannot be kept does not change its result.
    if (!(error instanceof RunError)) throw error;
    return { ...described, words: `${described.words}\n[It could not be kept as a file. ${error.message}]` };
  }
}

function kindOf(raw: unknown): string {
  const kind = isJsonObject(raw) ? raw["type"] : undefined;
  return typeof kind === "string" ? kind.slice(0, 40) : "none";
}
