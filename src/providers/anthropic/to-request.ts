import type {
  CacheControlEphemeral,
  MessageCreateParamsNonStreaming,
  TextBlockParam,
  ThinkingConfigParam,
  Tool,
  WebSearchTool20250305,
} from "@anthropic-ai/sdk/resources/messages/messages";
import { exactText, type JsonSchema } from "../../engine/json.ts";
import type { ModelRequest } from "../../engine/model/chat-model.ts";
import { toolCalls } from "../../engine/model/message.ts";
import { objectSchema } from "../wire/tool-parameters.ts";
import { warning, type Warning } from "../wire/warning.ts";
import { toAnthropicMessages, type Turn } from "./messages.ts";
import { budgetOf, type ClaudeTraits, maxAnswerTokens } from "./model-traits.ts";
import { anthropicDefaults, type AnthropicSettings } from "./anthropic-settings.ts";
import { schemaWithBareIntegers } from "../../engine/json-schema/bare-integers.ts";

/** Parameters that only the API version 2023-06-01 takes, and of the models only those up to 4.6. */
interface Sampling {
  temperature?: number;
  top_p?: number;
  top_k?: number;
}

/** A call made ready. */
export interface AnthropicCall {
  body: MessageCreateParamsNonStreaming & Sampling & { messages: Turn[] };
  /** The API version to name when it is not the usual one. */
  version?: "2023-06-01";
  /** What was said after the conversation. */
  closing: readonly string[];
  warnings: Warning[];
}

/** Closes a schema as structured outputs demand; the SDK brings it. It throws on schemas that it cannot close. */
type CloseSchema = (schema: JsonSchema) => JsonSchema;

/** Ends what may be read from the cache next time; five minutes are the vendor's usual. */
function cacheMark({ cacheDuration }: AnthropicSettings): CacheControlEphemeral {
  return { type: "ephemeral", ...(cacheDuration === "1h" ? { ttl: "1h" } : {}) };
}

/** A call as a Messages body (without `stream`), and what had to be left out. */
export function toAnthropicRequest(
  request: ModelRequest,
  settings: AnthropicSettings,
  traits: ClaudeTraits,
  closeSchema: CloseSchema,
): AnthropicCall {
  const warnings: Warning[] = [];
  const thinking = toThinking(settings, traits, warnings);
  const sampling = toSampling(settings, traits, thinking, warnings);
  const format = toFormat(request, traits, closeSchema, warnings);
  const search = toSearch(settings, traits, warnings);
  const own = toTools(request);
  const tools = [...own, ...search];
  const forced = request.toolChoice === "required" && own.length > 0;
  // Claude rejects a forced tool call while it thinks.
  const forcedBySaying = forced && (thinking !== undefined || traits.thinking === "always");
  if (forcedBySaying) {
    warnings.push(
      warning(
        `${settings.model} cannot be forced to call a tool while it thinks; it was told to instead.`,
        "Set tool choice to auto, or choose a model without thinking.",
      ),
    );
  }
  const instructions = [
    format.instruction,
    forcedBySaying ? "You must call at least one of the tools before you answer." : "",
  ].filter((text) => text !== "");
  const { system, messages, closing } = toAnthropicMessages(request.messages, settings.model, instructions);
  const mark = settings.promptCaching ? cacheMark(settings) : undefined;
  const none = request.toolChoice === "none" || (request.tools.length === 0 && search.length === 0);
  const choice = none ? "none" : forced && !forcedBySaying ? "any" : "auto";
  const body: AnthropicCall["body"] = {
    model: settings.model,
    max_tokens: request.maxOutputTokens ?? maxAnswerTokens(settings, traits),
    messages: mark ? withCacheMark(messages, mark) : messages,
    ...toSystem(system, mark),
    ...(settings.stop.length > 0 ? { stop_sequences: settings.stop } : {}),
    ...(thinking ? { thinking } : {}),
    ...toOutputConfig(settings, traits, format.schema, warnings),
    ...(tools.length > 0 ? { tools } : {}),
    ...(tools.length > 0 ? toolChoice(choice, settings) : {}),
    ...sampling,
  };
  return { body, closing, warnings, ...(Object.keys(sampling).length > 0 ? { version: "2023-06-01" } : {}) };
}

function toolChoice(
  type: "none" | "any" | "auto",
  { parallelToolCalls }: AnthropicSettings,
): Pick<MessageCreateParamsNonStreaming, "tool_choice"> {
  if (type === "none") return { tool_choice: { type } };
  if (!parallelToolCalls) return { tool_choice: { type, disable_parallel_tool_use: true } };
  return type === "any" ? { tool_choice: { type } } : {};
}

function toSystem(text: string, mark: CacheControlEphemeral | undefined): { system?: TextBlockParam[] } {
  if (text === "") return {};
  return { system: [{ type: "text", text, ...(mark ? { cache_control: mark } : {}) }] };
}

/** Marks the end of the conversation, so that the next iteration reads everything so far from the cache. */
function withCacheMark(turns: Turn[], mark: CacheControlEphemeral): Turn[] {
  const last = turns.at(-1);
  const block = last?.content.at(-1);
  if (!last || (block?.type !== "text" && block?.type !== "tool_result" && block?.type !== "image")) return turns;
  const marked = [...last.content.slice(0, -1), { ...block, cache_control: mark }];
  return [...turns.slice(0, -1), { ...last, content: marked }];
}

function toThinking(
  settings: AnthropicSettings,
  traits: ClaudeTraits,
  warnings: Warning[],
): ThinkingConfigParam | undefined {
  const { model, thinkingBudget } = settings;
  switch (traits.thinking) {
    case "none":
      if (thinkingBudget > 0)
        warnings.push(
          warning(
            `${model} does not think; the thinking budget was left out.`,
            "Set it to 0, or choose a newer model.",
          ),
        );
      return undefined;
    case "budget":
      return thinkingBudget > 0 ? { type: "enabled", budget_tokens: budgetOf(settings, traits) } : undefined;
    case "adaptive":
    case "always":
      if (thinkingBudget > 0) {
        warnings.push(
          warning(
            `${model} decides by itself how much to think; the thinking budget only turned thinking on.`,
            "Steer it with effort instead.",
          ),
        );
      }
      return thinkingBudget > 0 || traits.thinking === "always"
        ? { type: "adaptive", display: "summarized" }
        : undefined;
    default:
      return traits.thinking satisfies never;
  }
}

function toSampling(
  settings: AnthropicSettings,
  traits: ClaudeTraits,
  thinking: ThinkingConfigParam | undefined,
  warnings: Warning[],
): Sampling {
  const { model, temperature, topP, topK } = settings;
  const allowed = traits.sampling && thinking === undefined;
  const leaveOut = (what: string, why: string) =>
    warnings.push(
      warning(
        `${model} does not take ${what}${why}; it was left out.`,
        `Reset ${what} on the model node, or choose another model.`,
      ),
    );
  const why = traits.sampling ? " while it thinks" : "";
  const chosen = temperature !== anthropicDefaults.temperature;
  if (!allowed) {
    if (chosen) leaveOut("a temperature", why);
    if (topP !== 1) leaveOut("top P", why);
    if (topK !== 0) leaveOut("top K", why);
    return {};
  }
  // The vendor takes one of the two only.
  if (topP !== 1 && chosen) leaveOut("a temperature", " together with top P");
  return {
    ...(topP !== 1 ? { top_p: topP } : { temperature: Math.min(1, temperature) }),
    ...(topK !== 0 ? { top_k: topK } : {}),
  };
}

function toFormat(
  request: ModelRequest,
  traits: ClaudeTraits,
  closeSchema: CloseSchema,
  warnings: Warning[],
): { schema?: Record<string, unknown>; instruction: string } {
  if (request.responseFormat.type === "text") return { instruction: "" };
  const { schema } = request.responseFormat;
  if (schema && traits.structured) {
    try {
      return { schema: schemaWithBareIntegers(closeSchema(schema)), instruction: "" };
    } catch {
      warnings.push(
        warning(
          "Claude cannot be held to this JSON Schema; it was told of it instead.",
          "Give every part of the schema a type.",
        ),
      );
    }
  }
  const shape = schema ? ` that fits this JSON Schema: ${exactText(schemaWithBareIntegers(schema))}` : "";
  return { instruction: `Answer with one JSON object${shape}. Write nothing before or after it.` };
}

function toOutputConfig(
  { model, effort }: AnthropicSettings,
  traits: ClaudeTraits,
  schema: Record<string, unknown> | undefined,
  warnings: Warning[],
): Pick<MessageCreateParamsNonStreaming, "output_config"> {
  const adaptive = traits.thinking === "adaptive" || traits.thinking === "always";
  if (effort !== "default" && !adaptive) {
    warnings.push(warning(`${model} does not take an effort; it was left out.`, "Use the thinking budget instead."));
  }
  const config = {
    ...(effort !== "default" && adaptive ? { effort } : {}),
    ...(schema ? { format: { type: "json_schema" as const, schema } } : {}),
  };
  return Object.keys(config).length > 0 ? { output_config: config } : {};
}

/** Searches of one answer; the vendor sets no limit of its own. */
const mostSearches = 5;

function toSearch(
  { model, webSearch }: AnthropicSettings,
  traits: ClaudeTraits,
  warnings: Warning[],
): WebSearchTool20250305[] {
  if (!webSearch) return [];
  if (traits.webSearch) return [{ type: "web_search_20250305", name: "web_search", max_uses: mostSearches }];
  warnings.push(warning(`${model} cannot search the web, so it will answer without.`, "Choose a newer model."));
  return [];
}

/** The tools on offer; with none, those named in the history, since the API refuses calls of tools that it never heard of. */
function toTools(request: ModelRequest): Tool[] {
  if (request.tools.length > 0) {
    return request.tools.map((tool) => ({
      name: tool.name,
      description: tool.description,
      input_schema: { ...objectSchema(tool.parameters), type: "object" },
    }));
  }
  const called = request.messages.flatMap((message) => (message.role === "assistant" ? toolCalls(message) : []));
  const names = new Set(called.map((call) => call.toolName));
  return [...names].map((name) => ({ name, description: "No longer available.", input_schema: { type: "object" } }));
}
