import { exactText, type JsonSchema } from "../../engine/json.ts";
import type { ModelRequest } from "../../engine/model/chat-model.ts";
import { warning, type Warning } from "../wire/warning.ts";
import type { GeminiTraits } from "./model-traits.ts";
import type { GeminiSettings } from "./gemini-settings.ts";
import { schemaWithBareIntegers } from "../../engine/json-schema/bare-integers.ts";

/** What a model takes of what a call asks for, whichever API carries it. */
export interface Supported {
  /** The request's tools are offered. */
  tools: boolean;
  googleSearch: boolean;
  urlContext: boolean;
  /** JSON as a mode of the API. */
  json?: { schema?: JsonSchema };
  /** Takes the place of JSON mode where the model has none. */
  instruction: string;
  warnings: Warning[];
}

export function supported(request: ModelRequest, settings: GeminiSettings, traits: GeminiTraits): Supported {
  const warnings: Warning[] = [];
  const tools = traits.tools && request.tools.length > 0;
  if (!traits.tools && request.tools.length > 0) {
    warnings.push(warning(`${settings.model} cannot call tools; it was not told of them.`, "Choose a Gemini model."));
  }
  return {
    tools,
    ...ownTools(settings, traits, tools, warnings),
    ...format(request, settings, traits, tools, warnings),
    warnings,
  };
}

/** Tools of Google's own that are switched on, where the model takes them. */
function ownTools(
  { model, googleSearch, urlContext }: GeminiSettings,
  traits: GeminiTraits,
  offered: boolean,
  warnings: Warning[],
): { googleSearch: boolean; urlContext: boolean } {
  const taken = traits.tools && (!offered || traits.mixedTools);
  if (taken || (!googleSearch && !urlContext)) return { googleSearch, urlContext };
  const what =
    googleSearch && urlContext ? "Google Search and URL context" : googleSearch ? "Google Search" : "URL context";
  warnings.push(
    warning(
      `${model} does not take ${what}${traits.tools ? " beside tools" : ""}; it was left out.`,
      "Choose Gemini 3 or newer, or remove the tools.",
    ),
  );
  return { googleSearch: false, urlContext: false };
}

function format(
  request: ModelRequest,
  settings: GeminiSettings,
  traits: GeminiTraits,
  offered: boolean,
  warnings: Warning[],
): Pick<Supported, "json" | "instruction"> {
  if (request.responseFormat.type === "text" && !settings.jsonMode) return { instruction: "" };
  const schema = request.responseFormat.type === "json" ? request.responseFormat.schema : undefined;
  if (traits.json && (!offered || traits.jsonWithTools)) return { json: schema ? { schema } : {}, instruction: "" };
  warnings.push(
    warning(
      `${settings.model} has no JSON mode${offered ? " beside tools" : ""}; it was told to answer in JSON instead.`,
      "Choose Gemini 3 or newer, or remove the tools.",
    ),
  );
  const shape = schema ? ` that fits this JSON Schema: ${exactText(schemaWithBareIntegers(schema))}` : "";
  return { instruction: `Give your final answer as one JSON object${shape}. Write nothing before or after it.` };
}
