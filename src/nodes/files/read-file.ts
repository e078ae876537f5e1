import { z } from "zod/mini";
import { field } from "../../engine/config/field.ts";
import { defineNode } from "../../engine/document/define-node.ts";
import { one, out } from "../../engine/document/ports.ts";
import { nowhere } from "../../engine/document/reach.ts";
import type { JsonObject } from "../../engine/json.ts";
import { documentKinds } from "../../engine/knowledge/source-document.ts";
import { onErrorField } from "../flow/error-field.ts";
import { contentIn, documentWork, keep } from "./document-work.ts";
import { fileField } from "./file-fields.ts";
import { readOutput, readParts } from "./read-output.ts";

export const readFile = defineNode({
  type: "read-file",
  version: 1,
  role: "flow",
  title: "Read a file",
  summary: "Gives the text, the rows or the pages of a file.",
  keywords: [
    "ocr",
    "scan",
    "picture",
    "image",
    "extract from file",
    "document",
    "parse",
    "pdf",
    "excel",
    "xlsx",
    "csv",
    "spreadsheet",
    "word",
    "docx",
    "powerpoint",
    "pptx",
    "xml",
    "html",
    "rtf",
    "epub",
    "email",
    "eml",
    "outlook",
    "msg",
    "odt",
    "ods",
    "attachment",
    "loader",
  ],
  section: "data",
  icon: "file-text",
  config: z.object({
    file: fileField("The file to read, or a text, such as the body of an answer."),
    give: field(z._default(z.enum(readParts), "auto"), {
      label: "Give",
      help: "Auto: the rows of a table, the data of JSON and XML, the text of anything else.",
    }),
    sheet: field(z._default(z.string(), ""), {
      label: "Sheet",
      help: "The name or the number of the sheet or table whose rows are given. Empty: the first.",
      template: "text",
      visibleWhen: { field: "give", in: ["auto", "rows"] },
    }),
    hasHeader: field(z._default(z.boolean(), true), {
      label: "First row names the columns",
      help: "Off: each row is a list of its cells.",
      visibleWhen: { field: "give", in: ["auto", "rows"] },
    }),
    format: field(z._default(z.enum(["auto", ...documentKinds]), "auto"), {
      label: "Format",
      help: "What the file is. Auto: by its name, its type and how it begins. Choose it for a text, such as CSV.",
      section: "Format",
    }),
    onError: onErrorField,
  }),
  inputs: { main: one("main", { label: "Input" }) },
  outputs: { main: out("main", { label: "Output" }) },
  reach: nowhere,
  describe: ({ give }) => (typeof give === "string" && give !== "auto" ? give : ""),
  /** `{ name, kind, title?, text | rows | pages | data }`; of an email also who wrote to whom, and `attachments`. */
  async run(context): Promise<JsonObject> {
    const { config } = context;
    const file = await contentIn(context, config.file);
    const kind = config.format === "auto" ? {} : { kind: config.format };
    const answer = await documentWork(context, { do: "read", file, ...kind });
    if (!answer.document) return { name: file.name };
    const output = readOutput(answer.document, config);
    const attachments = await keep(context, answer.files);
    return { name: file.name, ...output, ...(attachments.length > 0 ? { attachments } : {}) };
  },
});
