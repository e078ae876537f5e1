import type { MadeFormat } from "../../engine/file/documents.ts";
import type { Json } from "../../engine/json.ts";
import { placeholder, type Made } from "../flow/made.ts";
import { lookup } from "../lookup.ts";
import { objectOf, textOf } from "./read-langflow.ts";
import type { LangflowWork } from "./work.ts";

/** The formats by Langflow's names of them. */
const formats: Readonly<Record<string, MadeFormat>> = {
  txt: "text",
  json: "json",
  csv: "csv",
  excel: "xlsx",
  xlsx: "xlsx",
  markdown: "markdown",
  md: "markdown",
  html: "html",
};

const nameOf = (chosen: Json | undefined) => textOf(objectOf(Array.isArray(chosen) ? chosen[0] : chosen).name);

/** A file in the run, where Langflow writes one on its disk. What goes to a cloud's storage stays open. */
export function saveToFile(work: LangflowWork): Made {
  const { type, data } = work.node;
  const place = nameOf(data.storage_location) || "Local";
  if (place !== "Local")
    return placeholder(
      type,
      data,
      `It writes to ${place}: make the file with “Make a file”, and send it with an HTTP request.`,
    );
  const kind = textOf(data.local_format) || textOf(data.file_format) || textOf(data.data_format) || "txt";
  const format = lookup(formats, kind.toLowerCase());
  if (format === undefined) return placeholder(type, data, `Nothing here makes a file of the format ${kind}.`);
  return {
    step: {
      type: "make-file",
      config: {
        format,
        content: work.text("input"),
        name: (work.text("file_name") || "file").replace(/\.\w{2,4}$/, ""),
      },
    },
    input: (field) => (field === "input" ? "main" : undefined),
    outcome: "approximated",
    note:
      data.append_mode === true
        ? "It makes a new file of the run each time, instead of writing on at the end of one on the disk."
        : "It makes a file of the run, instead of one on the disk.",
  };
}
