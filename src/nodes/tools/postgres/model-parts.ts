import { isJsonObject, type Json, type JsonObject, type JsonSchema } from "../../../engine/json.ts";
import type { AiCall } from "../../../engine/template/ai-call.ts";
import { wholeAiCall } from "../../../engine/template/resolve-template.ts";
import { saysNothing } from "./says-nothing.ts";

/** A part of a request that the model gives where the author left its field empty. */
export interface OpenPart {
  /** The config field that has to be empty, which may open several parts; absent for a part that is always open. */
  field?: string;
  /** What the part is called among the tool's arguments. */
  parameter: string;
  schema: JsonSchema;
  required: boolean;
}

/** The arguments of a tool as the model sees them, and how the open parts are read from a call. */
interface ModelParts {
  parameters: JsonSchema;
  /** The open parts of a call by their parameter; those that the model left out are absent. */
  given(input: JsonObject): JsonObject;
}

/** The `ai(…)` that a field, or the only line of a list, consists of. */
function wholeAiOf(value: Json | undefined): AiCall | undefined {
  const only = Array.isArray(value) && value.length === 1 ? value[0] : value;
  return typeof only === "string" ? wholeAiCall(only) : undefined;
}

/**
 * What the author left empty becomes an argument with a schema of its own; what is one `ai(…)` and nothing else keeps its
 * name and words and gets that schema too; `ai(…)` within a field stays as `aiParameters` says.
 */
export function modelParts(raw: JsonObject, aiParameters: JsonSchema, parts: readonly OpenPart[]): ModelParts {
  const asked = isJsonObject(aiParameters["properties"]) ? aiParameters["properties"] : {};
  const required: Json[] = Array.isArray(aiParameters["required"]) ? aiParameters["required"] : [];
  const whole: JsonObject = {};
  for (const [field, call] of wholeCalls(raw, parts)) {
    const part = parts.find((one) => one.field === field && isText(one) === (call.type === "string"));
    if (part) whole[call.name] = { ...part.schema, ...ownWords(asked[call.name]) };
  }
  const isEmpty = ({ field }: OpenPart) => field === undefined || saysNothing(raw[field]);
  const open = parts.filter((part) => isEmpty(part) && !Object.hasOwn(asked, part.parameter));
  return {
    parameters: {
      type: "object",
      // The open parts come first: a table is better chosen before its columns.
      properties: { ...Object.fromEntries(open.map((part) => [part.parameter, part.schema])), ...asked, ...whole },
      required: [...open.filter((part) => part.required).map((part) => part.parameter), ...required],
      additionalProperties: false,
    },
    given: (input) =>
      Object.fromEntries(
        open.flatMap(({ parameter }) => {
          const value = Object.hasOwn(input, parameter) ? input[parameter] : undefined;
          return value === undefined || value === null ? [] : [[parameter, value]];
        }),
      ),
  };
}

function wholeCalls(raw: JsonObject, parts: readonly OpenPart[]): [field: string, call: AiCall][] {
  return [...new Set(parts.flatMap((part) => part.field ?? []))].flatMap((field) => {
    const call = wholeAiOf(raw[field]);
    return call ? [[field, call]] : [];
  });
}

const isText = ({ schema }: OpenPart) => schema["type"] === "string";

/** What the author said of an argument, which goes before what the field says of itself. */
function ownWords(asked: Json | undefined): JsonObject {
  if (!isJsonObject(asked)) return {};
  return Object.fromEntries(Object.entries(asked).filter(([key]) => key === "description" || key === "default"));
}
