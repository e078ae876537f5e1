import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { completeExport } from "../../../import/testing/n8n-export.ts";
import { ImportReport } from "./import-report.tsx";
import { readImport } from "./read-import.ts";

const nothing = { credentials: new Set<string>(), workflows: new Set<string>(), collections: new Set<string>() };

test("settings that were not taken over stand at their node with their value, those without effect behind a button", () => {
  const parameters = { url: "https://a.test", options: { proxy: "http://proxy.test" }, nodeCredentialType: "jiraApi" };
  const node = { name: "Get", type: "n8n-nodes-base.httpRequest", typeVersion: 4.2, parameters };
  const read = readImport(JSON.stringify({ nodes: [node], connections: {} }), nothing, () => "new-id");
  if (!read.ok) throw new Error(read.problems.join(" "));
  const html = renderToStaticMarkup(
    <ImportReport findings={read.findings} name="" own={[]} chosen={{}} onChoose={() => {}} />,
  );
  expect(html).toContain("options.proxy: Not taken over: http://proxy.test");
  expect(html).toMatch(/Show.* 1 .*setting.* without effect/);
  expect(html).not.toContain("jiraApi");
});

test("a credential that does not come along is listed once, with its name, at the node that needs it", () => {
  const read = readImport(JSON.stringify(completeExport), nothing, () => "new-id");
  if (!read.ok) throw new Error(read.problems.join(" "));
  const { findings } = read;
  const html = renderToStaticMarkup(
    <ImportReport findings={findings} name={findings.document.name} own={[]} chosen={{}} onChoose={() => {}} />,
  );
  const told = html.split("<li").filter((line) => line.includes(">Model<") && !line.includes("does not run"));
  expect(told).toHaveLength(1);
  expect(told[0]).toContain("Choose a credential for the model. “Our OpenAI” does not come along.");
});
