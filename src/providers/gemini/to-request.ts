import type {
  Content,
  FunctionCallingConfigMode,
  HarmBlockThreshold,
  HarmCategory,
  ThinkingLevel,
  Tool,
} from "@google/genai/web";
import type { ModelRequest } from "../../engine/model/chat-model.ts";
import { objectSchema } from "../wire/tool-parameters.ts";
import { warning, type Warning } from "../wire/warning.ts";
import { toContents } from "./contents.ts";
import type { GeminiTraits } from "./model-traits.ts";
import type { GeminiSettings, SafetyThreshold } from "./gemini-settings.ts";
import { supported, type Supported } from "./supported.ts";
import { type ExactSchema, schemaWithBareIntegers } from "../../engine/json-schema/bare-integers.ts";

/** A `generateContent` body. The SDK's own parameters are other ones, which it translates to this. */
interface GeminiBody {
  contents: Content[];
  systemInstruction?: Content;
  tools?: Tool[];
  toolConfig?: {
    functionCallingConfig?: { mode: `${FunctionCallingConfigMode}` };
    includeServerSideToolInvocations?: true;
  };
  safetySettings?: { category: `${HarmCategory}`; threshold: `${HarmBlockThreshold}` }[];
  generationConfig: {
    temperature?: number;
    maxOutputTokens?: number;
    topP?: number;
    topK?: number;
    seed?: number;
    stopSequences?: string[];
    thinkingConfig?: ThinkingConfig;
    responseMimeType?: "application/json";
    responseJsonSchema?: ExactSchema;
  };
}

interface ThinkingConfig {
  includeThoughts: boolean;
  thinkingLevel?: `${ThinkingLevel}`;
  thinkingBudget?: number;
}

/** A call's body, and what had to be left out. */
export function toGeminiRequest(
  request: ModelRequest,
  settings: GeminiSettings,
  traits: GeminiTraits,
): { body: GeminiBody; warnings: Warning[] } {
  const can = supported(request, settings, traits);
  const { warnings } = can;
  const { system, contents } = toContents(request.messages, traits.signed);
  const instructions = [system, can.instruction].filter((text) => text !== "").join("\n\n");
  const maxOutputTokens = request.maxOutputTokens ?? settings.maxTokens;
  const generationConfig: GeminiBody["generationConfig"] = {
    ...(settings.temperature !== null ? { temperature: settings.temperature } : {}),
    ...(maxOutputTokens !== null ? { maxOutputTokens } : {}),
    ...(settings.topP !== 1 ? { topP: settings.topP } : {}),
    ...(settings.topK !== 0 ? { topK: settings.topK } : {}),
    ...(settings.seed !== undefined ? { seed: settings.seed } : {}),
    ...(settings.stop.length > 0 ? { stopSequences: settings.stop } : {}),
    ...thinkingOf(settings, traits, warnings),
    ...(can.json
      ? {
          responseMimeType: "application/json",
          ...(can.json.schema ? { responseJsonSchema: schemaWithBareIntegers(can.json.schema) } : {}),
        }
      : {}),
  };
  const body: GeminiBody = {
    contents,
    ...(instructions !== "" ? { systemInstruction: { role: "user", parts: [{ text: instructions }] } } : {}),
    ...safetyOf(settings),
    ...toolsOf(request, can),
    generationConfig,
  };
  return { body, warnings };
}

function toolsOf(request: ModelRequest, can: Supported): Pick<GeminiBody, "tools" | "toolConfig"> {
  const own: Tool[] = [
    ...(can.googleSearch ? [{ googleSearch: {} }] : []),
    ...(can.urlContext ? [{ urlContext: {} }] : []),
  ];
  if (!can.tools) return own.length > 0 ? { tools: own } : {};
  const mode = ({ auto: undefined, required: "ANY", none: "NONE" } as const)[request.toolChoice];
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
  };
}

function thinkingOf(
  { model, thinkingBudget, thinkingLevel }: GeminiSettings,
  traits: GeminiTraits,
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
  const known = { minimal: "MINIMAL", low: "LOW", medium: "MEDIUM", high: "HIGH" } as const;
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

const thresholds: Record<Exclude<SafetyThreshold, "default">, `${HarmBlockThreshold}`> = {
  off: "OFF",
  none: "BLOCK_NONE",
  "only-high": "BLOCK_ONLY_HIGH",
  "medium-and-above": "BLOCK_MEDIUM_AND_ABOVE",
  "low-and-above": "BLOCK_LOW_AND_ABOVE",
};

function safetyOf(settings: GeminiSettings): Pick<GeminiBody, "safetySettings"> {
  const chosen: [`${HarmCategory}`, SafetyThreshold][] = [
    ["HARM_CATEGORY_HARASSMENT", settings.harassment],
    ["HARM_CATEGORY_HATE_SPEECH", settings.hateSpeech],
    ["HARM_CATEGORY_SEXUALLY_EXPLICIT", settings.sexuallyExplicit],
    ["HARM_CATEGORY_DANGEROUS_CONTENT", settings.dangerousContent],
  ];
  const safetySettings = chosen.flatMap(([category, threshold]) =>
    threshold === "default" ? [] : [{ category, threshold: thresholds[threshold] }],
  );
  return safetySettings.length > 0 ? { safetySettings } : {};
}
