import type {
  FunctionCallingConfigMode,
  GenerateContentConfig,
  GenerateContentParameters,
  HarmBlockThreshold,
  HarmCategory,
  SafetySetting,
  ThinkingConfig,
  ThinkingLevel,
  Tool,
} from "@google/genai/web";
import type { ModelRequest } from "../../engine/model/chat-model.ts";
import { objectSchema } from "../wire/tool-parameters.ts";
import { warning, type Warning } from "../wire/warning.ts";
import { toContents } from "./contents.ts";
import type { GeminiTraits } from "./model-traits.ts";
import type { GeminiSettings, SafetyThreshold } from "./settings.ts";
import { supported, type Supported } from "./supported.ts";

/** The SDK's enums, which exist at run time only once it is loaded. */
interface GeminiWords {
  FunctionCallingConfigMode: typeof FunctionCallingConfigMode;
  HarmBlockThreshold: typeof HarmBlockThreshold;
  HarmCategory: typeof HarmCategory;
  ThinkingLevel: typeof ThinkingLevel;
}

/** A call as the SDK takes it, and what had to be left out. */
export function toGeminiRequest(
  request: ModelRequest,
  settings: GeminiSettings,
  traits: GeminiTraits,
  words: GeminiWords,
): { parameters: GenerateContentParameters; warnings: Warning[] } {
  const can = supported(request, settings, traits);
  const { warnings } = can;
  const { system, contents } = toContents(request.messages, traits.signed);
  const instructions = [system, can.instruction].filter((text) => text !== "").join("\n\n");
  const config: GenerateContentConfig = {
    abortSignal: request.signal,
    ...(settings.temperature !== null ? { temperature: settings.temperature } : {}),
    ...(settings.maxTokens !== null ? { maxOutputTokens: settings.maxTokens } : {}),
    ...(settings.topP !== 1 ? { topP: settings.topP } : {}),
    ...(settings.topK !== 0 ? { topK: settings.topK } : {}),
    ...(settings.seed !== undefined ? { seed: settings.seed } : {}),
    ...(settings.stop.length > 0 ? { stopSequences: settings.stop } : {}),
    ...(instructions !== "" ? { systemInstruction: instructions } : {}),
    ...thinkingOf(settings, traits, words, warnings),
    ...safetyOf(settings, words),
    ...toolsOf(request, can, words),
    ...(can.json
      ? {
          responseMimeType: "application/json",
          ...(can.json.schema ? { responseJsonSchema: can.json.schema } : {}),
        }
      : {}),
  };
  return { parameters: { model: settings.model, contents, config }, warnings };
}

function toolsOf(request: ModelRequest, can: Supported, words: GeminiWords): GenerateContentConfig {
  const own: Tool[] = [
    ...(can.googleSearch ? [{ googleSearch: {} }] : []),
    ...(can.urlContext ? [{ urlContext: {} }] : []),
  ];
  if (!can.tools) return own.length > 0 ? { tools: own } : {};
  const modes = words.FunctionCallingConfigMode;
  const mode = { auto: undefined, required: modes.ANY, none: modes.NONE }[request.toolChoice];
  return {
    tools: [
      {
        functionDeclarations: request.tools.map((tool) => ({
          name: tool.name,
          description: tool.description,
          parametersJsonSchema: objectSchema(tool.parameters),
        })),
      },
      ...own,
    ],
    ...(mode || own.length > 0
      ? {
          toolConfig: {
            ...(mode ? { functionCallingConfig: { mode } } : {}),
            ...(own.length > 0 ? { includeServerSideToolInvocations: true } : {}),
          },
        }
      : {}),
    automaticFunctionCalling: { disable: true },
  };
}

function thinkingOf(
  { model, thinkingBudget, thinkingLevel }: GeminiSettings,
  traits: GeminiTraits,
  words: GeminiWords,
  warnings: Warning[],
): { thinkingConfig?: ThinkingConfig } {
  const leaveOut = (what: string, hint: string) =>
    warnings.push(warning(`${model} does not take a thinking ${what}; it was left out.`, hint));
  const level = thinkingLevel !== "default";
  if (traits.thinking === "none") {
    if (thinkingBudget > 0) leaveOut("budget", "Set it to -1, or choose a newer model.");
    if (level) leaveOut("level", "Set it to default, or choose a newer model.");
    return {};
  }
  if (traits.thinking === "budget" && level) leaveOut("level", "Use the thinking budget instead.");
  const levels = words.ThinkingLevel;
  const known = { minimal: levels.MINIMAL, low: levels.LOW, medium: levels.MEDIUM, high: levels.HIGH };
  const useLevel = traits.thinking === "level" && thinkingLevel !== "default";
  // The vendor takes one of the two only.
  if (useLevel && thinkingBudget >= 0) leaveOut("budget beside a level", "Set one of the two.");
  return {
    thinkingConfig: {
      includeThoughts: thinkingBudget !== 0,
      ...(useLevel ? { thinkingLevel: known[thinkingLevel] } : thinkingBudget >= 0 ? { thinkingBudget } : {}),
    },
  };
}

function safetyOf(settings: GeminiSettings, words: GeminiWords): { safetySettings?: SafetySetting[] } {
  const { HarmBlockThreshold: block, HarmCategory: harm } = words;
  const thresholds: Record<Exclude<SafetyThreshold, "default">, HarmBlockThreshold> = {
    off: block.OFF,
    none: block.BLOCK_NONE,
    "only-high": block.BLOCK_ONLY_HIGH,
    "medium-and-above": block.BLOCK_MEDIUM_AND_ABOVE,
    "low-and-above": block.BLOCK_LOW_AND_ABOVE,
  };
  const chosen: [HarmCategory, SafetyThreshold][] = [
    [harm.HARM_CATEGORY_HARASSMENT, settings.harassment],
    [harm.HARM_CATEGORY_HATE_SPEECH, settings.hateSpeech],
    [harm.HARM_CATEGORY_SEXUALLY_EXPLICIT, settings.sexuallyExplicit],
    [harm.HARM_CATEGORY_DANGEROUS_CONTENT, settings.dangerousContent],
  ];
  const safetySettings = chosen.flatMap(([category, threshold]) =>
    threshold === "default" ? [] : [{ category, threshold: thresholds[threshold] }],
  );
  return safetySettings.length > 0 ? { safetySettings } : {};
}
