import type {
  ResponseCreateParamsNonStreaming,
  ResponseFunctionCallOutputItemList,
  ResponseFunctionWebSearch,
  ResponseIncludable,
  ResponseInputContent,
  ResponseInputItem,
  ResponseReasoningItem,
  ResponseTextConfig,
} from "openai/resources/responses/responses";
import { isJsonObject, type Json } from "../../engine/json.ts";
import { fileData } from "../../engine/model/attachments.ts";
import type { ModelRequest } from "../../engine/model/chat-model.ts";
import { readDataUrl } from "../../engine/model/data-url.ts";
import type { AssistantMessage, ImagePart, Message, ToolMessage, UserMessage } from "../../engine/model/message.ts";
import { leftOutFile } from "../wire/left-out-file.ts";
import { objectSchema } from "../wire/tool-parameters.ts";
import { warning, type Warning } from "../wire/warning.ts";
import { mentionsJson } from "./chat-request.ts";
import type { ModelTraits } from "./model-traits.ts";
import type { OpenaiSettings } from "./openai-settings.ts";
import { pictureCall } from "./responses-stream.ts";
import { isStrictSchema } from "./strict-schema.ts";
import { supported } from "./supported.ts";
import { schemaWithBareIntegers } from "../../engine/json-schema/bare-integers.ts";

/**
 * A call as a Responses body (without `stream`), and what had to be left out. Nothing is stored at the vendor; the
 * model's reasoning travels encrypted in the items, so that it survives tool turns. `cacheKey` leads requests with the same
 * beginning to the same cache.
 */
export function toResponsesRequest(
  request: ModelRequest,
  settings: OpenaiSettings,
  traits: ModelTraits,
  cacheKey: string,
): { body: ResponseCreateParamsNonStreaming; warnings: Warning[] } {
  const can = supported(settings, traits, request, "responses");
  const warnings = [...can.warnings];
  const input = toInput(request.messages, can);
  const schema = request.responseFormat.type === "json" ? request.responseFormat.schema : undefined;
  const json = settings.jsonMode || request.responseFormat.type === "json";
  if (json && !schema && !mentionsJson(request)) {
    input.unshift({ role: "developer", content: "Answer with a JSON object." });
    warnings.push(
      warning(
        'JSON mode needs the word "JSON" in the conversation; an instruction was added.',
        "Say in the system prompt which JSON you expect.",
      ),
    );
  }
  const include: ResponseIncludable[] = [
    ...(traits.reasoning ? (["reasoning.encrypted_content"] as const) : []),
    ...(can.webSearch ? (["web_search_call.action.sources"] as const) : []),
  ];
  const effort = can.effort && settings.reasoningEffort !== "default" ? { effort: settings.reasoningEffort } : {};
  const text: ResponseTextConfig = {
    ...(schema
      ? {
          format: {
            type: "json_schema",
            name: "response",
            schema: schemaWithBareIntegers(schema),
            strict: isStrictSchema(schema),
          },
        }
      : json
        ? { format: { type: "json_object" } }
        : {}),
    ...(can.verbosity && settings.own && settings.own.verbosity !== "default"
      ? { verbosity: settings.own.verbosity }
      : {}),
  };
  const maxTokens = request.maxOutputTokens ?? settings.maxTokens;
  const body: ResponseCreateParamsNonStreaming = {
    model: settings.model,
    input,
    ...(maxTokens !== null ? { max_output_tokens: maxTokens } : {}),
    store: false,
    prompt_cache_key: cacheKey,
    ...(can.sampling && settings.temperature !== null ? { temperature: settings.temperature } : {}),
    ...(can.sampling && settings.topP !== 1 ? { top_p: settings.topP } : {}),
    ...(include.length > 0 ? { include } : {}),
    ...(traits.reasoning ? { reasoning: { ...effort, summary: "auto" } } : {}),
    ...(can.tools || can.webSearch || can.imageGeneration ? tools(request, settings, can) : {}),
    ...(text.format || text.verbosity ? { text } : {}),
    ...(settings.own && settings.own.serviceTier !== "default" ? { service_tier: settings.own.serviceTier } : {}),
  };
  return { body, warnings };
}

function tools(
  request: ModelRequest,
  settings: OpenaiSettings,
  can: { tools: boolean; webSearch: boolean; imageGeneration: boolean },
): Pick<ResponseCreateParamsNonStreaming, "tools" | "tool_choice" | "parallel_tool_calls"> {
  const functions = (can.tools ? request.tools : []).map(({ name, description, parameters: given }) => {
    const parameters = objectSchema(given);
    return { type: "function" as const, name, description, parameters, strict: isStrictSchema(parameters) };
  });
  return {
    tools: [
      ...functions,
      ...(can.webSearch ? [{ type: "web_search" as const }] : []),
      ...(can.imageGeneration ? [{ type: "image_generation" as const }] : []),
    ],
    ...(settings.parallelToolCalls || functions.length === 0 ? {} : { parallel_tool_calls: false }),
    ...(request.toolChoice !== "auto" ? { tool_choice: request.toolChoice } : {}),
  };
}

/** What of a conversation goes along. */
type Readable = Pick<ReturnType<typeof supported>, "images" | "files">;

function toInput(messages: Message[], can: Readable): ResponseInputItem[] {
  return messages.flatMap((message): ResponseInputItem[] => {
    switch (message.role) {
      case "system":
        return [{ role: "developer", content: message.text }];
      case "user":
        return [toUser(message, can)];
      case "assistant":
        return toAssistant(message);
      case "tool":
        return [{ type: "function_call_output", call_id: message.callId, output: resultOf(message, can) }];
      default:
        return message satisfies never;
    }
  });
}

function resultOf({ text, images = [] }: ToolMessage, can: Readable): string | ResponseFunctionCallOutputItemList {
  if (!can.images || images.length === 0) return text;
  return [{ type: "input_text", text }, ...images.map((url) => ({ type: "input_image" as const, image_url: url }))];
}

function toUser(message: UserMessage, can: Readable): ResponseInputItem {
  return { role: "user", content: message.parts.flatMap((part) => toContent(part, can)) };
}

function toContent(part: UserMessage["parts"][number], can: Readable): ResponseInputContent[] {
  switch (part.type) {
    case "text":
      return [{ type: "input_text", text: part.text }];
    case "image":
      return can.images ? [{ type: "input_image", image_url: part.url, detail: "auto" }] : [];
    case "file":
      // Recordings are taken by Chat Completions alone.
      if (fileData(part.url)?.kind !== "pdf" || !can.files.includes("pdf"))
        return [{ type: "input_text", text: leftOutFile(part) }];
      return [{ type: "input_file", filename: part.name ?? "document.pdf", file_data: part.url }];
    default:
      return part satisfies never;
  }
}

function toAssistant(message: AssistantMessage): ResponseInputItem[] {
  return message.parts.flatMap((part): ResponseInputItem[] => {
    switch (part.type) {
      case "text":
        return part.text.trim() === ""
          ? []
          : [{ role: "assistant", content: part.text.replace(/^\n\n/, ""), ...phase(part.vendor) }];
      case "reasoning": {
        const item = reasoningItem(part.vendor) ?? searchItem(part.vendor);
        return item ? [item] : [];
      }
      case "tool-call":
        return [
          { type: "function_call", call_id: part.callId, name: part.toolName, arguments: part.arguments || "{}" },
        ];
      case "image":
        return pictureItem(part);
      case "made-file":
        return [];
      default:
        return part satisfies never;
    }
  });
}

/** Newer models mark commentary and final answer and want the mark back. */
function phase(vendor: Json | undefined): { phase?: "commentary" | "final_answer" } {
  const mark = isJsonObject(vendor) ? vendor.phase : undefined;
  return mark === "commentary" || mark === "final_answer" ? { phase: mark } : {};
}

/** A picture goes back as the call that made it. Of another model's the API takes none in the model's own turn. */
function pictureItem({ url, vendor }: ImagePart): ResponseInputItem[] {
  const id = isJsonObject(vendor) && vendor.type === pictureCall ? vendor.id : undefined;
  const picture = readDataUrl(url);
  if (typeof id !== "string" || !picture) return [];
  return [{ type: pictureCall, id, status: "completed", result: picture.data }];
}

/** A search that the model made goes back as it came. */
function searchItem(vendor: Json | undefined): ResponseInputItem | undefined {
  if (!isJsonObject(vendor) || vendor.type !== "web_search_call" || typeof vendor.id !== "string") return undefined;
  return vendor as unknown as ResponseFunctionWebSearch;
}

/** Only OpenAI's own items go back; another vendor's reasoning is left out. Without its encrypted content the item is useless. */
function reasoningItem(vendor: Json | undefined): ResponseReasoningItem | undefined {
  if (!isJsonObject(vendor) || typeof vendor.id !== "string" || typeof vendor.encrypted_content !== "string") {
    return undefined;
  }
  const summary = Array.isArray(vendor.summary) ? vendor.summary : [];
  return {
    type: "reasoning",
    id: vendor.id,
    summary: summary.flatMap((entry) =>
      isJsonObject(entry) && typeof entry.text === "string"
        ? [{ type: "summary_text" as const, text: entry.text }]
        : [],
    ),
    encrypted_content: vendor.encrypted_content,
  };
}
