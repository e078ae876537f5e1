import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { validateWorkflow } from "../src/engine/document/validate.ts";
import { isJsonObject } from "../src/engine/json.ts";
import { type ImportedWorkflow, importForeign } from "../src/import/index.ts";
import { workflowsIn } from "../src/import/n8n/read-n8n.ts";
import type { ImportReport } from "../src/import/report.ts";
import { agentBuilderCode } from "../src/import/testing/agents-code.ts";
import { compareAll, equalShare, everydayExpressions, expressionsIn } from "../corpora/expressions/compare-values.ts";
import { difyChat } from "../src/import/testing/dify-app.ts";
import { flowiseAgentflow, flowiseChatflow } from "../src/import/testing/flowise-flow.ts";
import { langflow } from "../src/import/testing/langflow-flow.ts";
import { completeExport } from "../src/import/testing/n8n-export.ts";
import { nodeRegistry } from "../src/nodes/index.ts";
import { limitRow, time, type Bench, type Row } from "./measure.ts";

const files = 1_000;
const endings = new Set([".json", ".yml", ".yaml", ".ts"]);

/** The texts of a folder that `IMPORT_FILES` names, such as one with exports of your own, or those of the tests. */
async function sources(): Promise<string[]> {
  const folder = process.env["IMPORT_FILES"];
  if (folder === undefined) {
    const own = [completeExport, difyChat, flowiseAgentflow, flowiseChatflow, langflow];
    // Written to hold what is hard, so that not everything in them has a counterpart.
    return [...own.map((source) => (typeof source === "string" ? source : JSON.stringify(source))), agentBuilderCode];
  }
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found = entries.filter((entry) => entry.isFile() && endings.has(extname(entry.name).toLowerCase()));
  return Promise.all(found.map((entry) => readFile(join(entry.parentPath, entry.name), "utf8")));
}

const read = (text: string) => importForeign(text, { registry: nodeRegistry, newId: () => "bench" });

function share(name: string, part: number, whole: number, goal: number): Row {
  const value = whole === 0 ? 100 : (part / whole) * 100;
  return { name, value, unit: "%", goal: `≥ ${goal} %`, met: value >= goal };
}

function parsedOf(text: string): unknown[] {
  try {
    return [JSON.parse(text)];
  } catch {
    return [];
  }
}

function sum(reports: readonly ImportReport[], count: (report: ImportReport) => number): number {
  return reports.reduce((total, report) => total + count(report), 0);
}

/** Nodes of which nothing is wrong but that a credential has to be chosen, or an imported node reviewed. */
function running({ document, report }: ImportedWorkflow): number {
  const wrong = validateWorkflow(document, nodeRegistry).filter(
    ({ severity, code, field, message }) =>
      severity === "error" &&
      code !== "invalid_credentials" &&
      field !== "credential" &&
      !message.includes("waits for your review"),
  );
  const ids = new Set(wrong.map(({ nodeId }) => nodeId));
  const nodes = report.entries.filter(({ about, outcome }) => about === "node" && outcome !== "placeholder");
  return nodes.filter(({ nodeId }) => nodeId === undefined || !ids.has(nodeId)).length;
}

/** Expressions of n8n's nodes in a file, counted without the importer. */
function expressionsOf(text: string): number {
  const count = (value: unknown, key = ""): number => {
    // The template of n8n's HTML node has expressions without the sign.
    if (typeof value === "string") return value.startsWith("=") || key === "html" ? value.split("{{").length - 1 : 0;
    if (typeof value !== "object" || value === null) return 0;
    return Object.entries(value).reduce((sum, [name, one]) => sum + count(one, name), 0);
  };
  return parsedOf(text)
    .flatMap((value) => workflowsIn(value))
    .flatMap(({ nodes }) => (Array.isArray(nodes) ? nodes : []))
    .reduce((sum: number, node) => sum + (isJsonObject(node) ? count(node.parameters) : 0), 0);
}

/** Edges of n8n's nodes in a file, counted without the importer. */
function edgesOf(text: string): number {
  const count = (value: unknown): number => {
    if (Array.isArray(value)) return value.reduce<number>((sum, one) => sum + count(one), 0);
    if (!isJsonObject(value)) return 0;
    return typeof value.node === "string" ? 1 : Object.values(value).reduce<number>((sum, one) => sum + count(one), 0);
  };
  return parsedOf(text)
    .flatMap((value) => workflowsIn(value))
    .reduce((sum: number, { connections }) => sum + count(connections), 0);
}

/** What n8n's expressions give here and in JavaScript, on made data: those of the files, and those of every day. */
async function comparedValues(texts: readonly string[]): Promise<Row[]> {
  const parsed = texts.flatMap(parsedOf);
  const compared = await compareAll([...new Set([...everydayExpressions(), ...expressionsIn(parsed)])], 12);
  return [
    share(`values as JavaScript has them, ${compared.length} expressions`, equalShare(compared, "whole"), 1, 99),
    share("… with a third of the fields missing", equalShare(compared, "gaps"), 1, 99),
  ];
}

/** How much of other builders' files is read, and how fast. */
export const importBench: Bench = {
  id: "import",
  title: "Import (IMPORT_FILES=<folder> takes files of your own)",
  async run() {
    const texts = await sources();
    const results = texts.map(read);
    const workflows = results.flatMap((result) => (result.ok ? result.workflows : []));
    const reports = workflows.map(({ report }) => report);
    const ofN8n = texts.flatMap((text, index) => {
      const result = results[index];
      // A file with words around it is read, too, but not counted here.
      if (!result?.ok || result.format !== "n8n" || parsedOf(text).length === 0) return [];
      return [
        {
          edgesThere: edgesOf(text),
          edgesHere: sum(
            result.workflows.map(({ report }) => report),
            (report) => report.entries.filter(({ about }) => about === "edge").length,
          ),
          there: expressionsOf(text),
          here: sum(
            result.workflows.map(({ report }) => report),
            (report) => report.expressions.total,
          ),
        },
      ];
    });
    for (const text of texts) read(text);
    const spent = await time(async () => {
      for (let index = 0; index < files; index += 1) read(texts[index % texts.length] ?? "");
    });
    const nodes = sum(reports, (report) => report.nodes.total);
    const expressions = sum(reports, (report) => report.expressions.total);
    return [
      share("files that are read", results.filter(({ ok }) => ok).length, texts.length, 95),
      share("nodes without a placeholder", nodes - sum(reports, (report) => report.nodes.placeholder), nodes, 95),
      share(
        "nodes that run once credentials are chosen",
        workflows.reduce((total, workflow) => total + running(workflow), 0),
        nodes,
        96,
      ),
      share(
        "n8n's expressions that are in the report",
        ofN8n.reduce((total, { here }) => total + here, 0),
        ofN8n.reduce((total, { there }) => total + there, 0),
        100,
      ),
      share(
        "expressions as expressions",
        sum(reports, (report) => report.expressions.cel),
        expressions,
        98,
      ),
      share(
        "n8n's edges that are in the report",
        ofN8n.reduce((total, { edgesHere }) => total + edgesHere, 0),
        ofN8n.reduce((total, { edgesThere }) => total + edgesThere, 0),
        100,
      ),
      ...(await comparedValues(texts)),
      limitRow("1,000 files", spent / 1_000, "s", 60),
    ];
  },
};
