import type { ChatCompletionCreateParamsNonStreaming } from "openai/resources/chat/completions";
import type { ResponseFormatJSONObject, ResponseFormatJSONSchema } from "openai/resources/shared";
import type { ModelRequest, ResponseFormat } from "../../engine/model/chat-model.ts";
import { messageText } from "../../engine/model/message.ts";
import { objectSchema } from "../wire/tool-parameters.ts";
import { warning, type Warning } from "../wire/warning.ts";
import type { ChatDialect } from "./chat-dialect.ts";
import { toChatMessages } from "./chat-messages.ts";
import type { ModelTraits } from "./model-traits.ts";
import type { OpenaiSettings } from "./openai-settings.ts";
import { isStrictSchema } from "./strict-schema.ts";
import { supported } from "./supported.ts";
import { schemaWithBareIntegers } from "../../engine/json-schema/bare-integers.ts";

/** The same with the names that only Mistral and OpenRouter have. */
type ChatBody = Omit<ChatCompletionCreateParamsNonStreaming, "modalities"> & {
  random_seed?: number;
  modalities?: string[];
};

/** A call as a Chat Completions body (without `stream`), and what had to be left out. */
export function toChatRequest(
  request: ModelRequest,
  settings: OpenaiSettings,
  traits: ModelTraits,
  dialect: ChatDialect,
): { body: ChatBody; warnings: Warning[] } {
  const can = supported(settings, traits, request, "chat");
  const { own } = dialect;
  const format = settings.jsonMode && request.responseFormat.type === "text" ? jsonObject : request.responseFormat;
  const warnings = [...can.warnings];
  const messages = toChatMessages(request.messages, {
    ...dialect,
    systemRole: own && traits.reasoning ? "developer" : "system",
    merge: !own,
    parsedArguments: !own,
    images: can.images,
    files: can.files,
  });
  if (format.type === "json" && !format.schema && !mentionsJson(request)) {
    messages.unshift({ role: own && traits.reasoning ? "developer" : "system", content: "Answer with a JSON object." });
    warnings.push(
      warning(
        'JSON mode needs the word "JSON" in the conversation; an instruction was added.',
        "Say in the system prompt which JSON you expect.",
      ),
    );
  }
  // Without a limit the model has its own. Reasoning models count their thinking into this limit and know it by its newer name only.
  const maxTokens = request.maxOutputTokens ?? settings.maxTokens;
  const limit =
    maxTokens === null
      ? {}
      : own || traits.fixedSampling
        ? { max_completion_tokens: maxTokens }
        : { max_tokens: maxTokens };
  const body: ChatBody = {
    model: settings.model,
    messages,
    ...limit,
    ...(can.sampling ? sampling(settings) : {}),
    ...(can.stop && settings.stop.length > 0 ? { stop: settings.stop } : {}),
    ...(can.seed && settings.seed !== undefined ? { [dialect.seed]: settings.seed } : {}),
    ...(can.effort && settings.reasoningEffort !== "default" ? { reasoning_effort: settings.reasoningEffort } : {}),
    ...(can.tools && (own || request.toolChoice !== "none") ? tools(request, settings, own) : {}),
    ...(can.verbosity && settings.own && settings.own.verbosity !== "default"
      ? { verbosity: settings.own.verbosity }
      : {}),
    ...(settings.own && settings.own.serviceTier !== "default" ? { service_tier: settings.own.serviceTier } : {}),
    ...(dialect.makesPictures ? { modalities: ["image", "text"] } : {}),
    ...(format.type === "json" ? { response_format: toResponseFormat(format) } : {}),
  };
  return { body, warnings };
}

const jsonObject: ResponseFormat = { type: "json" };

function sampling(settings: OpenaiSettings) {
  return {
    ...(settings.temperature !== null ? { temperature: settings.temperature } : {}),
    ...(settings.topP !== 1 ? { top_p: settings.topP } : {}),
    ...(settings.frequencyPenalty !== 0 ? { frequency_penalty: settings.frequencyPenalty } : {}),
    ...(settings.presencePenalty !== 0 ? { presence_penalty: settings.presencePenalty } : {}),
  };
}

function tools(
  request: ModelRequest,
  settings: OpenaiSettings,
  own: boolean,
): Pick<ChatCompletionCreateParamsNonStreaming, "tools" | "tool_choice" | "parallel_tool_calls"> {
  return {
    tools: request.tools.map(({ name, description, parameters: given }) => {
      const parameters = objectSchema(given);
      const strict = own && isStrictSchema(parameters) ? { strict: true } : {};
      return { type: "function", function: { name, description, parameters, ...strict } };
    }),
    ...(settings.parallelToolCalls ? {} : { parallel_tool_calls: false }),
    ...(request.toolChoice !== "auto" ? { tool_choice: request.toolChoice } : {}),
  };
}

function toResponseFormat(format: {
  type: "json";
  schema?: ModelRequest["tools"][number]["parameters"];
}): ResponseFormatJSONObject | ResponseFormatJSONSchema {
  if (!format.schema) return { type: "json_object" };
  return {
    type: "json_schema",
    json_schema: {
      name: "response",
      schema: schemaWithBareIntegers(format.schema),
      strict: isStrictSchema(format.schema),
    },
  };
}

/** Both APIs refuse JSON mode unless the word stands somewhere in the messages. */
export function mentionsJson(request: ModelRequest): boolean {
  return request.messages.some((message) => /json/i.test(messageText(message)));
}
