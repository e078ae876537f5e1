import { z } from "zod/mini";
import { defineNode } from "../../engine/document/define-node.ts";
import { one, out } from "../../engine/document/ports.ts";
import { nowhere } from "../../engine/document/reach.ts";
import type { JsonObject } from "../../engine/json.ts";
import { onErrorField } from "../flow/error-field.ts";
import { bytesOf, documentWork, fileIn, keep } from "./document-work.ts";
import { fileField } from "./file-fields.ts";

export const unzipFile = defineNode({
  type: "unzip-file",
  version: 1,
  role: "flow",
  title: "Unzip a file",
  summary: "Gives the files of a ZIP archive.",
  keywords: ["decompress", "extract", "archive", "unpack", "compression"],
  section: "data",
  icon: "folder-open",
  config: z.object({ file: fileField("The ZIP archive."), onError: onErrorField }),
  inputs: { main: one("main", { label: "Input" }) },
  outputs: { main: out("main", { label: "Output" }) },
  reach: nowhere,
  /** `{ files }`. */
  async run(context): Promise<JsonObject> {
    const file = await bytesOf(context, fileIn(context.files, context.config.file));
    const answer = await documentWork(context, { do: "unzip", file });
    return { files: await keep(context, answer.files) };
  },
});
