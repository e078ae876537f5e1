import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { importForeign } from "../src/import/index.ts";
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

function sum(reports: readonly ImportReport[], count: (report: ImportReport) => number): number {
  return reports.reduce((total, report) => total + count(report), 0);
}

/** What n8n's expressions give here and in JavaScript, on made data: those of the files, and those of every day. */
async function comparedValues(texts: readonly string[]): Promise<Row[]> {
  const parsed = texts.flatMap((text): unknown[] => {
    try {
      return [JSON.parse(text)];
    } catch {
      return [];
    }
  });
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
    const reports = results.flatMap((result) => (result.ok ? result.workflows.map(({ report }) => report) : []));
    for (const text of texts) read(text);
    const spent = await time(async () => {
      for (let index = 0; index < files; index += 1) read(texts[index % texts.length] ?? "");
    });
    const nodes = sum(reports, (report) => report.nodes.total);
    const expressions = sum(reports, (report) => report.expressions.total);
    const edges = sum(reports, (report) => report.edges.total);
    const named = sum(reports, (report) => report.entries.filter(({ about }) => about === "edge").length);
    return [
      share("files that are read", results.filter(({ ok }) => ok).length, texts.length, 95),
      share("nodes without a placeholder", nodes - sum(reports, (report) => report.nodes.placeholder), nodes, 95),
      share(
        "expressions as expressions",
        sum(reports, (report) => report.expressions.cel),
        expressions,
        98,
      ),
      share("edges named in the report", named, edges, 100),
      ...(await comparedValues(texts)),
      limitRow("1,000 files", spent / 1_000, "s", 60),
    ];
  },
};
