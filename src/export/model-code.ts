import type { NodeRecord } from "../engine/document/workflow-document.ts";
import { isJsonObject, type JsonObject } from "../engine/json.ts";
import { compatibleServers } from "../engine/vendors/compatible-servers.ts";
import type { CodeFile } from "./code-file.ts";
import type { ModelCode, ModelSettings, TargetCode } from "./export-target.ts";

/** Where the key of each vendor's models is read from. */
const keys: Readonly<Record<string, string>> = {
  openai: "OPENAI_API_KEY",
  anthropic: "ANTHROPIC_API_KEY",
  gemini: "GOOGLE_GENERATIVE_AI_API_KEY",
};

const usualModel = { vendor: "openai", model: "gpt-4o-mini" } as const;

/** The model of a node as the target makes it. What has no counterpart is noted. */
export function modelCode(node: NodeRecord, config: JsonObject, file: CodeFile, target: TargetCode): ModelCode {
  const vendor = node.type.replace(/-model$/, "");
  const model = typeof config.model === "string" ? config.model : "";
  const settings = settingsOf(config);
  if (vendor === "openai-compatible") {
    const { baseUrl, key } = serverOf(config, file);
    return { code: target.model({ vendor, model, baseUrl, key, config }, file), settings };
  }
  const key = keys[vendor];
  if (key !== undefined) {
    file.environment.set(key, `the key of “${node.title}”`);
    return { code: target.model({ vendor, model, key, config }, file), settings };
  }
  file.note(
    `This model exists in the studio only. ${usualModel.model} stands in its place: set the one you want.`,
    node.title,
  );
  const usualKey = keys[usualModel.vendor] ?? "";
  file.environment.set(usualKey, `the key of “${node.title}”`);
  return { code: target.model({ ...usualModel, key: usualKey, config: {} }, file), settings: {} };
}

function serverOf(config: JsonObject, file: CodeFile): { baseUrl: string; key: string } {
  const preset = Object.entries(compatibleServers).find(([id]) => id === config.preset);
  const [id, { baseUrl }] = preset ?? ["custom", compatibleServers.custom];
  const prefix = id === "custom" ? "MODEL" : id.toUpperCase().replaceAll("-", "_");
  const key = `${prefix}_API_KEY`;
  file.environment.set(key, "the server's key, if it asks for one");
  if (baseUrl !== null) return { baseUrl: JSON.stringify(baseUrl), key };
  const address = `${prefix}_BASE_URL`;
  file.environment.set(address, "where the server's API begins, such as http://localhost:8000/v1");
  return { baseUrl: `process.env.${address} ?? ""`, key };
}

/** Settings that the targets know, where they were changed. */
function settingsOf(config: JsonObject): ModelSettings {
  const settings: Record<string, unknown> = {};
  const numbers = ["temperature", "topP", "maxTokens", "frequencyPenalty", "presencePenalty", "seed"] as const;
  const untouched: Readonly<Record<string, number>> = { topP: 1, frequencyPenalty: 0, presencePenalty: 0 };
  for (const name of numbers) {
    const value = config[name];
    if (typeof value === "number" && untouched[name] !== value) settings[name] = value;
  }
  if (Array.isArray(config.stop) && config.stop.length > 0) settings.stop = config.stop;
  return isJsonObject(settings) ? (settings as ModelSettings) : {};
}
