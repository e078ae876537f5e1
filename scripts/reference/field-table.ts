import type { z } from "zod/mini";
import { describeFields, type FieldDescription } from "../../src/engine/config/describe-fields.ts";
import { credentialTypes } from "../../src/engine/credentials/credential-types.ts";
import { code, plain, table, value } from "./markdown.ts";

/** The settings that a form shows, one line each. Empty text where there are none. */
export function fieldTable(schema: z.ZodMiniObject): string {
  const fields = describeFields(schema).filter(({ hidden }) => hidden !== true);
  if (fields.length === 0) return "";
  return table(["Setting", "Name", "Default", "Takes", "What it does"], fields.map(row));
}

function row(field: FieldDescription): string[] {
  return [
    plain(field.label),
    code(field.name),
    initial(field),
    takes(field).join("; "),
    [plain(field.help), condition(field)].filter((part) => part !== "").join(" "),
  ];
}

/** What an untouched setting holds; a required one without that has to be filled in. */
function initial({ default: json, startsAs, required, control }: FieldDescription): string {
  if (startsAs !== undefined && json !== undefined) return `${value(startsAs)}; ${value(json)} where it is absent`;
  // What it is depends on the computer.
  if (control === "time-zone") return "that of this computer";
  if (json === undefined || (json === "" && required)) return required ? "required" : "";
  if (json === null || json === "") return "empty";
  return typeof json === "boolean" ? (json ? "on" : "off") : value(json);
}

function takes(field: FieldDescription): string[] {
  return [
    values(field),
    ...(field.template === undefined ? [] : [`template (${field.template})`]),
    ...(field.ai ? [`${code("{{ai(…)}}")}`] : []),
  ].filter((part) => part !== "");
}

function values({
  control,
  options,
  optionTitles,
  credentialTypes: types,
  min,
  max,
  integer,
}: FieldDescription): string {
  if (types) return types.map(credentialTitle).join(", ");
  if (options) return options.map((option) => choice(option, optionTitles?.[option])).join(" · ");
  if (control === "number") return `${integer ? "whole number" : "number"}${bounds(min, max)}`;
  if (control === "switch") return "on or off";
  return controlWords[control] ?? "";
}

const controlWords: Partial<Record<FieldDescription["control"], string>> = {
  text: "text",
  textarea: "text",
  json: "JSON",
  code: "JavaScript",
  "model-name": "name of a model",
  "string-list": "list of texts",
  "key-values": "names and values",
  "json-schema": "JSON Schema",
  parameters: "parameters",
  workflow: "a saved workflow",
  collection: "a collection",
  conditions: "conditions",
  schedule: "a schedule",
  "time-zone": "a time zone",
  "mcp-tools": "tools of the server",
  "mcp-apps": "hosts, by interface",
  "mcp-resources": "resources of the server",
  "mcp-prompts": "prompts of the server",
  "hook-request": "a recorded request",
};

function choice(option: string, title: string | undefined): string {
  return title === undefined ? code(option) : `${code(option)} (${plain(title)})`;
}

function credentialTitle(type: string): string {
  const known: Readonly<Record<string, { title: string }>> = credentialTypes;
  const title = known[type]?.title;
  return title === undefined ? code(type) : `[${plain(title)}](credentials.md)`;
}

function bounds(min: number | undefined, max: number | undefined): string {
  if (min !== undefined && max !== undefined) return `, ${min} to ${max}`;
  if (min !== undefined) return `, at least ${min}`;
  return max === undefined ? "" : `, at most ${max}`;
}

function condition({ visibleWhen }: FieldDescription): string {
  if (!visibleWhen) return "";
  const wanted = visibleWhen.in.map((one) => (one === true ? "on" : one === false ? "off" : code(one)));
  return `Shown where ${code(visibleWhen.field)} is ${wanted.join(" or ")}.`;
}
