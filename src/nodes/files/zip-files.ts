import { z } from "zod/mini";
import { field } from "../../engine/config/field.ts";
import { jsonValue } from "../../engine/config/json-value.ts";
import { defineNode } from "../../engine/document/define-node.ts";
import { one, out } from "../../engine/document/ports.ts";
import { nowhere } from "../../engine/document/reach.ts";
import type { JsonObject } from "../../engine/json.ts";
import { onErrorField } from "../flow/error-field.ts";
import { bytesOfAll, documentWork, filesIn, keep } from "./document-work.ts";

export const zipFiles = defineNode({
  type: "zip-files",
  version: 1,
  role: "flow",
  title: "Zip files",
  summary: "Packs files into one ZIP archive.",
  keywords: ["compress", "compression", "archive", "pack", "gzip", "download"],
  section: "data",
  icon: "file-archive",
  config: z.object({
    files: field(z._default(jsonValue(), "{{json}}"), {
      label: "Files",
      help: "The files to pack: a list of them, or data that holds some, such as {{json.attachments}}.",
      control: "text",
      template: "value",
    }),
    name: field(z._default(z.string(), "files"), {
      label: "Name",
      help: "The name of the archive. The ending .zip is added.",
      template: "text",
    }),
    onError: onErrorField,
  }),
  inputs: { main: one("main", { label: "Input" }) },
  outputs: { main: out("main", { label: "Output" }) },
  reach: nowhere,
  describe: ({ name }) => (typeof name === "string" ? name : ""),
  /** `{ file }`. */
  async run(context): Promise<JsonObject> {
    const { config } = context;
    const files = await bytesOfAll(context, filesIn(context.files, config.files));
    const answer = await documentWork(context, { do: "zip", name: config.name, files });
    const [file = null] = await keep(context, answer.files);
    return { file };
  },
});
