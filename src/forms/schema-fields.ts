import type { FieldDescription } from "../engine/config/describe-fields.ts";
import type { FieldControl } from "../engine/config/field.ts";
import { isJsonObject, type Json, type JsonObject } from "../engine/json.ts";

/** Choices of a schema and what they are called: `enum` with `enumNames`, or `oneOf`, `anyOf` of titled constants. */
interface Choices {
  options: string[];
  optionTitles?: Record<string, string>;
}

const isText = (value: Json): value is string => typeof value === "string";

function choicesOf(schema: JsonObject): Choices | undefined {
  const { enum: options, enumNames } = schema;
  if (Array.isArray(options) && options.length > 0 && options.every(isText)) {
    const names = Array.isArray(enumNames) ? enumNames : [];
    const titles = options.map((option, index): [string, Json] => [option, names[index] ?? ""]);
    return { options, ...titled(titles) };
  }
  const alternatives = schema["oneOf"] ?? schema["anyOf"];
  if (!Array.isArray(alternatives) || alternatives.length === 0) return undefined;
  const known = alternatives.filter(isJsonObject).filter((each) => typeof each["const"] === "string");
  if (known.length < alternatives.length) return undefined;
  const titles = known.map((each): [string, Json] => [String(each["const"]), each["title"] ?? ""]);
  return { options: titles.map(([option]) => option), ...titled(titles) };
}

function titled(pairs: readonly [string, Json][]): Pick<Choices, "optionTitles"> {
  const named = pairs.flatMap(([option, title]) => (isText(title) && title !== "" ? [[option, title]] : []));
  return named.length === 0 ? {} : { optionTitles: Object.fromEntries(named) };
}

/** The control that fits, and what may be chosen in it. */
function controlOf(schema: JsonObject): { control: FieldControl } & Partial<Choices> {
  const choices = choicesOf(schema);
  if (choices) return { control: "select", ...choices };
  const { type, items } = schema;
  const several = type === "array" && isJsonObject(items) ? choicesOf(items) : undefined;
  if (several) return { control: "choices", ...several };
  switch (type) {
    case "string":
      return { control: "textarea" };
    case "number":
    case "integer":
      return { control: "number" };
    case "boolean":
      return { control: "switch" };
    default:
      return { control: "json" };
  }
}

const numberOr = (value: Json | undefined) => (typeof value === "number" ? value : undefined);

/**
 * The properties of a tool's JSON Schema as form fields, so that a person can fill in what a model would. What no control
 * fits is edited as JSON. The schema itself judges the values, when they are sent.
 */
export function schemaFields(schema: JsonObject): FieldDescription[] {
  const properties = isJsonObject(schema["properties"]) ? schema["properties"] : {};
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  return Object.entries(properties).map(([name, value]) => {
    const inner = isJsonObject(value) ? value : {};
    const { description, title, default: initial } = inner;
    const { control, ...choices } = controlOf(inner);
    return {
      name,
      label: typeof title === "string" && title !== "" ? title : name,
      help: typeof description === "string" ? description : "",
      control,
      identity: false,
      ai: false,
      ...(initial === undefined ? {} : { default: initial }),
      min: numberOr(inner["minimum"]),
      max: numberOr(inner["maximum"]),
      integer: inner["type"] === "integer",
      ...choices,
      ...(control === "json" && inner["type"] === "array" ? { placeholder: "[ ]" } : {}),
      required: required.includes(name),
      optional: !required.includes(name),
    };
  });
}

/** What a form begins with: the values that the schema names itself, and off for a switch that has to be sent. */
export function schemaDefaults(schema: JsonObject): JsonObject {
  const values: JsonObject = {};
  for (const { name, control, required, default: initial } of schemaFields(schema)) {
    if (initial !== undefined) values[name] = initial;
    else if (control === "switch" && required) values[name] = false;
  }
  return values;
}
