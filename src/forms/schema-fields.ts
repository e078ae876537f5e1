import type { FieldDescription } from "../engine/config/describe-fields.ts";
import type { FieldControl } from "../engine/config/field.ts";
import { isJsonObject, type Json, type JsonObject } from "../engine/json.ts";

function controlOf(schema: JsonObject): FieldControl {
  if (Array.isArray(schema["enum"]) && schema["enum"].every((option) => typeof option === "string")) return "select";
  switch (schema["type"]) {
    case "string":
      return "textarea";
    case "number":
    case "integer":
      return "number";
    case "boolean":
      return "switch";
    default:
      return "json";
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
    const control = controlOf(inner);
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
      options: control === "select" && Array.isArray(inner["enum"]) ? inner["enum"].map(String) : undefined,
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
