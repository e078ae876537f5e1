import { z } from "zod/mini";
import type { ToolResult } from "../../../engine/tool/tool.ts";
import type { Json } from "../../../engine/json.ts";
import { type KeepFile, readParts, textOfResource } from "./map-result.ts";

const readResult = z.looseObject({
  contents: z.array(
    z.looseObject({
      uri: z.string(),
      mimeType: z.optional(z.string()),
      text: z.optional(z.string()),
      blob: z.optional(z.string()),
    }),
  ),
});

const promptResult = z.looseObject({
  messages: z.array(z.looseObject({ role: z.enum(["user", "assistant"]), content: z.unknown() })),
});

function failed(message: string): ToolResult {
  return { ok: false, error: { message, code: "tool_error" } };
}

/** Words alone are the output; with pictures and the like in it, the output is data, and the words what the model reads. */
function resultOf(text: string, data: readonly Json[]): ToolResult {
  return data.every((item) => typeof item === "string")
    ? { ok: true, output: text }
    : { ok: true, output: [...data], text };
}

/**
 * A `resources/read` result as the engine knows results. What is no text becomes a file of the run where `keep` is given;
 * otherwise pictures stay, and the rest is named with its size.
 */
export async function mapResource(value: unknown, keep?: KeepFile): Promise<ToolResult> {
  const parsed = readResult.safeParse(value);
  if (!parsed.success) return failed("The MCP server's resource cannot be read.");
  const { contents } = parsed.data;
  if (contents.length === 0) return failed("The MCP server's resource has no content.");
  const parts = contents.map((resource) => {
    const { blob, mimeType = "", uri } = resource;
    const text = textOfResource(resource);
    if (text !== undefined && contents.length === 1) return { type: "text", text };
    if (blob !== undefined && mimeType.startsWith("image/")) return { type: "image", data: blob, mimeType, uri };
    return { type: "resource", resource };
  });
  const { words, data } = await readParts(parts, keep);
  return resultOf(words.join("\n"), data);
}

/** A `prompts/get` result: the text of its only message, or each message with who says it. */
export async function mapPrompt(value: unknown, keep?: KeepFile): Promise<ToolResult> {
  const parsed = promptResult.safeParse(value);
  if (!parsed.success) return failed("The MCP server's prompt cannot be read.");
  const { messages } = parsed.data;
  if (messages.length === 0) return failed("The MCP server's prompt has no messages.");
  const { words, data } = await readParts(
    messages.map(({ content }) => content),
    keep,
  );
  const said = words.map((text, index) => (words.length === 1 ? text : `${messages[index]?.role ?? "user"}: ${text}`));
  return resultOf(said.join("\n"), data);
}
