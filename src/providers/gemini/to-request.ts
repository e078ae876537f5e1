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
  const warnings: Warning[] = [];
  const offered = traits.tools && request.tools.length > 0;
  if (!traits.tools && request.tools.length > 0) {
    warnings.push(warning(`${settings.model} cannot call tools; it was not told of them.`, "Choose a Gemini model."));
  }
  const { system, contents } = toContents(request.messages, traits.signed);
  const format = toFormat(request, settings, traits, offered, warnings);
  const instructions = [system, format.instruction].filter((text) => text !== "").join("\n\n");
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
    ...toolsOf(request, offered, ownTools(settings, traits, offered, warnings), words),
    ...format.config,
  };
  return { parameters: { model: settings.model, contents, config }, warnings };
}

/** Tools of Google's own that are switched on, where the model takes them. */
function ownTools(
  { model, googleSearch, urlContext }: GeminiSettings,
  traits: GeminiTraits,
  offered: boolean,
  warnings: Warning[],
): Tool[] {
  if (!googleSearch && !urlContext) return [];
  if (!traits.tools || (offered && !traits.mixedTools)) {
    const what =
      googleSearch && urlContext ? "Google Search and URL context" : googleSearch ? "Google Search" : "URL context";
    warnings.push(
      warning(
        `${model} does not take ${what}${traits.tools ? " beside tools" : ""}; it was left out.`,
        "Choose Gemini 3 or newer, or remove the tools.",
      ),
    );
    return [];
  }
  return [...(googleSearch ? [{ googleSearch: {} }] : []), ...(urlContext ? [{ urlContext: {} }] : [])];
}

function toolsOf(request: ModelRequest, offered: boolean, own: Tool[], words: GeminiWords): GenerateContentConfig {
  if (!offered) return own.length > 0 ? { tools: own } : {};
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

function toFormat(
  request: ModelRequest,
  settings: GeminiSettings,
  traits: GeminiTraits,
  offered: boolean,
  warnings: Warning[],
): { config: GenerateContentConfig; instruction: string } {
  if (request.responseFormat.type === "text" && !settings.jsonMode) return { config: {}, instruction: "" };
  const schema = request.responseFormat.type === "json" ? request.responseFormat.schema : undefined;
  if (traits.json && (!offered || traits.jsonWithTools)) {
    const config = { responseMimeType: "application/json", ...(schema ? { responseJsonSchema: schema } : {}) };
    return { config, instruction: "" };
  }
  warnings.push(
    warning(
      `${settings.model} has no JSON mode ${offered ? "beside tools" : ""}; it was told to answer in JSON instead.`.replace(
        " ;",
        ";",
      ),
      "Choose Gemini 3 or newer, or remove the tools.",
    ),
  );
  const shape = schema ? ` that fits this JSON Schema: ${JSON.stringify(schema)}` : "";
  return {
    config: {},
    instruction: `Give your final answer as one JSON object${shape}. Write nothing before or after it.`,
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
