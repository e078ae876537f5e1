import type { Interactions } from "@google/genai/web";
import type { ModelRequest } from "../../engine/model/chat-model.ts";
import { objectSchema } from "../wire/tool-parameters.ts";
import { warning, type Warning } from "../wire/warning.ts";
import { toSteps } from "./interactions-input.ts";
import type { GeminiTraits } from "./model-traits.ts";
import type { GeminiSettings, SafetyThreshold } from "./gemini-settings.ts";
import { supported, type Supported } from "./supported.ts";
import { schemaWithBareIntegers } from "../../engine/json-schema/bare-integers.ts";

/** A body without `stream`. */
export type InteractionBody = Omit<Interactions.CreateModelInteractionParamsNonStreaming, "stream">;

/** A call as a body of the Interactions API, and what had to be left out. Nothing is stored at the vendor. */
export function toInteractionRequest(
  request: ModelRequest,
  settings: GeminiSettings,
  traits: GeminiTraits,
): { body: InteractionBody; warnings: Warning[] } {
  const can = supported(request, settings, traits);
  const { system, input } = toSteps(request.messages);
  const instructions = [system, can.instruction].filter((text) => text !== "").join("\n\n");
  const tools = toTools(request, can);
  const safety = toSafety(settings);
  const maxTokens = request.maxOutputTokens ?? settings.maxTokens;
  const body: InteractionBody = {
    model: settings.model.replace(/^models\//, ""),
    input,
    store: false,
    ...(instructions !== "" ? { system_instruction: instructions } : {}),
    ...(tools.length > 0 ? { tools } : {}),
    ...(can.json ? { response_format: [jsonFormat(can.json)] } : {}),
    ...(safety.length > 0 ? { safety_settings: safety } : {}),
    generation_config: {
      ...(settings.temperature !== null ? { temperature: settings.temperature } : {}),
      ...(settings.topP !== 1 ? { top_p: settings.topP } : {}),
      ...(maxTokens !== null ? { max_output_tokens: maxTokens } : {}),
      ...(settings.seed !== undefined ? { seed: settings.seed } : {}),
      ...(settings.stop.length > 0 ? { stop_sequences: settings.stop } : {}),
      ...(can.tools && request.toolChoice !== "auto"
        ? { tool_choice: request.toolChoice === "required" ? "any" : "none" }
        : {}),
      ...thinking(settings, traits),
    },
  };
  return { body, warnings: [...can.warnings, ...leftOut(settings, traits)] };
}

/** Settings that this API takes without reserve; the others are gone from it or going. */
export function fitsInteractions(settings: GeminiSettings): boolean {
  const { temperature, topP, topK, thinkingBudget } = settings;
  return temperature === null && topP === 1 && topK === 0 && thinkingBudget < 0 && toSafety(settings).length === 0;
}

function toTools(request: ModelRequest, can: Supported): Interactions.Tool[] {
  const functions = can.tools ? request.tools : [];
  return [
    ...functions.map(({ name, description, parameters }) => ({
      type: "function" as const,
      name,
      description,
      parameters: objectSchema(parameters),
    })),
    ...(can.googleSearch ? [{ type: "google_search" as const }] : []),
    ...(can.urlContext ? [{ type: "url_context" as const }] : []),
  ];
}

function jsonFormat({ schema }: NonNullable<Supported["json"]>): Interactions.TextResponseFormat {
  return { type: "text", mime_type: "application/json", ...(schema ? { schema: schemaWithBareIntegers(schema) } : {}) };
}

function thinking(
  { thinkingLevel, thinkingBudget }: GeminiSettings,
  traits: GeminiTraits,
): Pick<Interactions.GenerationConfig, "thinking_level" | "thinking_summaries"> {
  if (traits.thinking === "none") return {};
  return {
    ...(takesLevel(thinkingLevel, traits) ? { thinking_level: thinkingLevel } : {}),
    thinking_summaries: thinkingBudget === 0 ? "none" : "auto",
  };
}

/** Here 2.5 has levels as well, but none below low. */
function takesLevel(level: GeminiSettings["thinkingLevel"], { thinking }: GeminiTraits): boolean {
  if (level === "default" || thinking === "none") return false;
  return thinking === "level" || level !== "minimal";
}

function leftOut(settings: GeminiSettings, traits: GeminiTraits): Warning[] {
  const { model, topK, thinkingBudget, thinkingLevel } = settings;
  const missing = (what: string) =>
    warning(`The Interactions API has no ${what}; it was left out.`, "Set the API to Auto or generateContent.");
  return [
    ...(topK !== 0 ? [missing("top K")] : []),
    ...(thinkingBudget >= 0 ? [missing("thinking budget")] : []),
    ...(thinkingLevel !== "default" && !takesLevel(thinkingLevel, traits)
      ? [warning(`${model} does not take this thinking level; it was left out.`, "Set it to default.")]
      : []),
  ];
}

const thresholds: Record<Exclude<SafetyThreshold, "default">, Interactions.SafetySetting["threshold"]> = {
  off: "off",
  none: "block_none",
  "only-high": "block_only_high",
  "medium-and-above": "block_medium_and_above",
  "low-and-above": "block_low_and_above",
};

function toSafety(settings: GeminiSettings): Interactions.SafetySetting[] {
  const chosen: [Interactions.HarmCategory, SafetyThreshold][] = [
    ["harassment", settings.harassment],
    ["hate_speech", settings.hateSpeech],
    ["sexually_explicit", settings.sexuallyExplicit],
    ["dangerous_content", settings.dangerousContent],
  ];
  return chosen.flatMap(([type, threshold]) =>
    threshold === "default" ? [] : [{ type, threshold: thresholds[threshold] }],
  );
}
