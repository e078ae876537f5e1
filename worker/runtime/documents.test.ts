import { expect, it } from "vitest";
import { makePdf } from "../../src/documents/testing/make-pdf.ts";
import { fileStore } from "../../src/engine/in-memory/file-store.ts";
import { buildWorkflow } from "../../src/engine/testing/build-workflow.ts";
import { runToEnd } from "../../src/engine/testing/run-to-end.ts";
import { testHost } from "../../src/engine/testing/test-host.ts";
import { nodeRegistry } from "../../src/nodes/index.ts";
import { documentsInThreads } from "./documents.ts";

it("a PDF becomes a table, and the table an Excel file", async () => {
  const files = fileStore();
  const pdf = makePdf([[{ text: "Ann 1", size: 11 }], [{ text: "Bob 2", size: 11 }]]);
  const file = await files.put("list.pdf", "", new Uint8Array(pdf));
  const document = buildWorkflow({
    nodes: {
      start: ["manual-trigger"],
      pages: ["read-file", { give: "pages" }],
      sheet: ["make-file", { format: "xlsx", content: "{{json.pages}}", name: "{{json.name}}" }],
      rows: ["read-file", {}],
    },
    edges: ["start.main -> pages.main", "pages.main -> sheet.main", "sheet.main -> rows.main"],
  });
  const host = testHost({ files, documents: documentsInThreads() });
  const { end } = await runToEnd(document, { registry: nodeRegistry, host, input: { body: file }, files: [file] });
  expect(end.output).toMatchObject({
    name: "list.pdf.xlsx",
    rows: [
      { page: 1, text: "Ann 1" },
      { page: 2, text: "Bob 2" },
    ],
  });
  expect([...files.kept.values()].map((kept) => kept.file.mediaType)[1]).toMatch(/spreadsheetml/);
});
