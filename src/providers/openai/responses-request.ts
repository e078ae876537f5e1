import type {
  ResponseCreateParamsNonStreaming,
  ResponseInputItem,
  ResponseReasoningItem,
} from "openai/resources/responses/responses";
import { isJsonObject, type Json } from "../../engine/json.ts";
import type { ModelRequest } from "../../engine/model/chat-model.ts";
import type { AssistantMessage, Message, UserMessage } from "../../engine/model/message.ts";
import { objectSchema } from "../wire/tool-parameters.ts";
import { warning, type Warning } from "../wire/warning.ts";
import { mentionsJson } from "./chat-request.ts";
import type { ModelTraits } from "./model-traits.ts";
import type { OpenaiSettings } from "./settings.ts";
import { isStrictSchema } from "./strict-schema.ts";
import { supported } from "./supported.ts";

/**
 * A call as a Responses body (without `stream`), and what had to be left out. Nothing is stored at the vendor; the
 * model's reasoning travels encrypted in the items, so that it survives tool turns.
 */
export function toResponsesRequest(
  request: ModelRequest,
  settings: OpenaiSettings,
  traits: ModelTraits,
): { body: ResponseCreateParamsNonStreaming; warnings: Warning[] } {
  const can = supported(settings, traits, request, "responses");
  const warnings = [...can.warnings];
  const input = toInput(request.messages, can.images);
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
  const body: ResponseCreateParamsNonStreaming = {
    model: settings.model,
    input,
    max_output_tokens: settings.maxTokens,
    store: false,
    ...(can.sampling ? { temperature: settings.temperature } : {}),
    ...(can.sampling && settings.topP !== 1 ? { top_p: settings.topP } : {}),
    ...(traits.reasoning ? { include: ["reasoning.encrypted_content"] } : {}),
    ...(can.effort && settings.reasoningEffort !== "default"
      ? { reasoning: { effort: settings.reasoningEffort } }
      : {}),
    ...(can.tools ? tools(request) : {}),
    ...(schema
      ? { text: { format: { type: "json_schema", name: "response", schema, strict: isStrictSchema(schema) } } }
      : json
        ? { text: { format: { type: "json_object" } } }
        : {}),
  };
  return { body, warnings };
}

function tools(request: ModelRequest): Pick<ResponseCreateParamsNonStreaming, "tools" | "tool_choice"> {
  return {
    tools: request.tools.map((tool) => ({
      type: "function",
      name: tool.name,
      description: tool.description,
      parameters: objectSchema(tool.parameters),
      strict: false,
    })),
    ...(request.toolChoice !== "auto" ? { tool_choice: request.toolChoice } : {}),
  };
}

function toInput(messages: Message[], images: boolean): ResponseInputItem[] {
  return messages.flatMap((message): ResponseInputItem[] => {
    switch (message.role) {
      case "system":
        return [{ role: "developer", content: message.text }];
      case "user":
        return [toUser(message, images)];
      case "assistant":
        return toAssistant(message);
      case "tool":
        return [{ type: "function_call_output", call_id: message.callId, output: message.text }];
      default:
        return message satisfies never;
    }
  });
}

function toUser(message: UserMessage, images: boolean): ResponseInputItem {
  const parts = images ? message.parts : message.parts.filter((part) => part.type === "text");
  return {
    role: "user",
    content: parts.map((part) =>
      part.type === "text"
        ? { type: "input_text", text: part.text }
        : { type: "input_image", image_url: part.url, detail: "auto" },
    ),
  };
}

function toAssistant(message: AssistantMessage): ResponseInputItem[] {
  return message.parts.flatMap((part): ResponseInputItem[] => {
    switch (part.type) {
      case "text":
        return part.text === "" ? [] : [{ role: "assistant", content: part.text, ...phase(part.vendor) }];
      case "reasoning": {
        const item = reasoningItem(part.vendor);
        return item ? [item] : [];
      }
      case "tool-call":
        return [
          { type: "function_call", call_id: part.callId, name: part.toolName, arguments: part.arguments || "{}" },
        ];
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
