import { z } from "zod/mini";
import { field } from "../../engine/config/field.ts";
import { jsonValue } from "../../engine/config/json-value.ts";
import { defineNode } from "../../engine/document/define-node.ts";
import { one, out } from "../../engine/document/ports.ts";
import { nowhere } from "../../engine/document/reach.ts";
import { madeFormats } from "../../engine/file/documents.ts";
import type { JsonObject } from "../../engine/json.ts";
import { onErrorField } from "../flow/error-field.ts";
import { documentWork, keep } from "./document-work.ts";

export const makeFile = defineNode({
  type: "make-file",
  version: 1,
  role: "flow",
  title: "Make a file",
  summary: "Makes a spreadsheet, document or PDF from data.",
  keywords: [
    "convert to file",
    "write file",
    "export",
    "pdf",
    "excel",
    "xlsx",
    "csv",
    "spreadsheet",
    "json",
    "markdown",
    "html",
    "report",
    "download",
    "document",
  ],
  section: "data",
  icon: "file-plus",
  config: z.object({
    format: field(z._default(z.enum(madeFormats), "xlsx"), {
      label: "Format",
      help: "PDFs are made from Markdown and show Latin, Greek and Cyrillic letters; HTML shows every script.",
    }),
    content: field(z._default(jsonValue(), "{{json}}"), {
      label: "Content",
      help: "For tables a list of objects, such as {{json.rows}}, or an object of such lists, each a sheet. For HTML and PDF Markdown, or a list, which becomes a table.",
      control: "text",
      template: "value",
    }),
    name: field(z._default(z.string(), "file"), {
      label: "Name",
      help: "The name of the file. The ending of the format is added.",
      template: "text",
    }),
    onError: onErrorField,
  }),
  inputs: { main: one("main", { label: "Input" }) },
  outputs: { main: out("main", { label: "Output" }) },
  reach: nowhere,
  describe: ({ format, name }) => [format, name].filter((part) => typeof part === "string").join(" · "),
  /** `{ file }`. */
  async run(context): Promise<JsonObject> {
    const { format, name, content } = context.config;
    const answer = await documentWork(context, { do: "make", format, name, content });
    for (const note of answer.notes ?? []) context.log("warn", note);
    const [file = null] = await keep(context, answer.files);
    return { file };
  },
});
