import { z } from "zod/mini";
import { field } from "../../engine/config/field.ts";
import { jsonValue } from "../../engine/config/json-value.ts";
import { defineNode } from "../../engine/document/define-node.ts";
import { one, out } from "../../engine/document/ports.ts";
import { nowhere } from "../../engine/document/reach.ts";
import { isJsonObject, type JsonObject } from "../../engine/json.ts";
import { onErrorField } from "./error-field.ts";

export const setFields = defineNode({
  type: "set-fields",
  version: 1,
  role: "flow",
  title: "Set fields",
  summary: "Adds or replaces fields of the data.",
  keywords: [
    "edit fields",
    "variable",
    "assign",
    "map",
    "transform",
    "template",
    "rename",
    "json",
    "format",
    "string",
    "text",
    "concat",
    "date",
    "convert",
    "field",
    "column",
    "data",
  ],
  section: "data",
  icon: "pencil-line",
  config: z.object({
    fields: field(z._default(z.record(z.string(), jsonValue()), {}), {
      label: "Fields",
      help: "The name and value of each field. A value that is only {{…}} stays a number, a list or whatever it is.",
      control: "key-values",
      template: "value",
    }),
    from: field(z._default(jsonValue(), null), {
      label: "All fields of",
      help: "An object whose fields are set as well, such as {{json.customer}}. The fields above win.",
      control: "text",
      template: "value",
    }),
    keepInput: field(z._default(z.boolean(), true), {
      label: "Keep other fields",
      help: "Off: the output has only the fields above.",
    }),
    onError: onErrorField,
  }),
  inputs: { main: one("main", { label: "Input" }) },
  outputs: { main: out("main", { label: "Output" }) },
  reach: nowhere,
  describe: ({ fields }) => (isJsonObject(fields) ? Object.keys(fields).join(", ") : ""),
  run({ config, json }): JsonObject {
    const base = config.keepInput && isJsonObject(json) ? json : {};
    return { ...base, ...(isJsonObject(config.from) ? config.from : {}), ...config.fields };
  },
});
