import { expect, it } from "vitest";
import { buildWorkflow } from "../testing/build-workflow.ts";
import { namedFiles } from "../model/attachments.ts";
import { workflowDocument } from "../document/workflow-document.ts";

it("S36 names from outside turn no text around them, and keep letters that are written from right to left", () => {
  const turning = ["\u202a", "\u202b", "\u202c", "\u202d", "\u202e", "\u2066", "\u2067", "\u2068", "\u2069"].join("");
  const name = `a${turning}gnp.exe`;
  const shown = `a${"\ufffd".repeat(9)}gnp.exe`;
  const document = buildWorkflow({ name, nodes: { start: ["manual-trigger", {}, name] } });
  const read = workflowDocument.parse(document);
  expect([read.name, read.nodes["start"]?.title]).toEqual([shown, shown]);
  const url = "data:application/pdf;base64,JVBERi0=";
  expect(namedFiles({ files: [{ url, name }] })).toEqual([{ type: "file", url, name: shown }]);
  const hebrew = "דו״ח\u200f (2).pdf 👩\u200d💻";
  expect(workflowDocument.parse({ ...document, name: hebrew }).name).toBe(hebrew);
});
