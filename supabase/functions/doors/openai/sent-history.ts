import { z } from "zod/mini";
import { type SentMessage, sentMessage } from "./conversation.ts";

const toolText = z.union([
  z.string(),
  z.pipe(
    z.array(z.object({ text: z.optional(z.string()) })),
    z.transform((parts) => parts.map(({ text = "" }) => text).join("\n")),
  ),
]);

const callOfChat = z.union([
  z.pipe(
    z.object({ function: z.object({ name: z.string(), arguments: z.optional(z.string()) }) }),
    z.transform(({ function: { name, arguments: given } }) => callText(name, given)),
  ),
  z.pipe(
    z.object({ custom: z.object({ name: z.string(), input: z.optional(z.string()) }) }),
    z.transform(({ custom: { name, input } }) => callText(name, input)),
  ),
]);

function said(role: SentMessage["role"], text: string): SentMessage {
  return { role, text, images: [], files: [] };
}

function callText(name: string, given = "{}"): string {
  return `(called the tool ${name} with ${given})`;
}

/** A turn in which an assistant called tools, in Chat Completions: its content may be missing. */
const assistantCalls = z.pipe(
  z.object({
    role: z.literal("assistant"),
    content: z.nullish(toolText),
    tool_calls: z.array(callOfChat).check(z.minLength(1)),
  }),
  z.transform(({ content, tool_calls: calls }) => {
    return said("assistant", [...(content ? [content] : []), ...calls].join("\n"));
  }),
);

/** The same of before there were several. */
const assistantFunction = z.pipe(
  z.object({
    role: z.literal("assistant"),
    content: z.nullish(toolText),
    function_call: z.object({ name: z.string(), arguments: z.optional(z.string()) }),
  }),
  z.transform(({ content, function_call: { name, arguments: given } }) =>
    said("assistant", [...(content ? [content] : []), callText(name, given)].join("\n")),
  ),
);

/** An assistant that said nothing, such as one whose refusal stands in a member of its own. */
const silentAssistant = z.pipe(
  z.object({ role: z.literal("assistant"), content: z.nullish(z.null()), refusal: z.nullish(z.string()) }),
  z.transform(({ refusal }) => said("assistant", refusal ?? "")),
);

const toolResult = z.pipe(
  z.object({ role: z.enum(["tool", "function"]), content: z.nullish(toolText) }),
  z.transform(({ content }) => said("tool", content || "(nothing)")),
);

/** What models of a vendor do by themselves, and a workflow has no use for. */
const unheard = z.pipe(
  z.object({ type: z.string().check(z.regex(/^reasoning$|_call(_output)?$|^mcp_/)) }),
  z.transform(() => said("assistant", "")),
);

/** The items of Responses that stand beside its messages. */
const responseItem = z.union([
  z.pipe(
    z.object({ type: z.literal("function_call"), name: z.string(), arguments: z.string() }),
    z.transform(({ name, arguments: given }) => said("assistant", callText(name, given))),
  ),
  z.pipe(
    z.object({ type: z.literal("custom_tool_call"), name: z.string(), input: z.string() }),
    z.transform(({ name, input }) => said("assistant", callText(name, input))),
  ),
  z.pipe(
    z.object({ type: z.enum(["function_call_output", "custom_tool_call_output"]), output: toolText }),
    z.transform(({ output }) => said("tool", output || "(nothing)")),
  ),
  unheard,
]);

const sentItem = z.union([assistantCalls, assistantFunction, toolResult, silentAssistant, responseItem, sentMessage]);

/**
 * What a client sends as the conversation: messages, and what was done between them. Calls of tools and their results are told to the
 * workflow as text, since its own tools are others.
 */
export const sentHistory = z.pipe(
  z.array(z.unknown()).check(z.minLength(1), z.maxLength(1_000)),
  z.transform((items, context) =>
    items.flatMap((item, index): SentMessage[] => {
      const read = sentItem.safeParse(item);
      if (read.success) return [read.data];
      context.issues.push({ code: "custom", input: item, path: [index], message: refusalOf(item) });
      return [];
    }),
  ),
);

function refusalOf(item: unknown): string {
  const { type, role } = (item ?? {}) as { type?: unknown; role?: unknown };
  const what = typeof type === "string" ? `of the type "${type}"` : `with the role "${String(role)}"`;
  return `An item ${what} is not taken, or has parts that are not. Text, pictures, PDF, WAV and MP3 files and calls of tools are.`;
}
