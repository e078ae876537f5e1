import { describe, expect, it } from "vitest";
import { validateWorkflow } from "../../engine/document/validate.ts";
import { loadOnce } from "../../engine/load-once.ts";
import { knowledgeStore } from "../../engine/in-memory/knowledge-store.ts";
import type { JsonObject } from "../../engine/json.ts";
import { runToEnd } from "../../engine/testing/run-to-end.ts";
import { testHost } from "../../engine/testing/test-host.ts";
import { loadQuickJs } from "../../host/sandbox/load-quickjs.ts";
import { runCode } from "../../host/sandbox/run-code.ts";
import { nodeRegistry } from "../../nodes/index.ts";
import { readImported } from "../testing/read-imported.ts";

/** Loaded with the first run that has code. */
const openSandbox = loadOnce(() => loadQuickJs(32 * 1024 * 1024));

const ai = "@n8n/n8n-nodes-langchain.";

/** A vector store behind a trigger, with a loader of these settings. */
const imported = (parameters: JsonObject, loader: JsonObject = {}, type = "vectorStoreQdrant") =>
  readImported(
    {
      nodes: [
        { name: "Start", type: "n8n-nodes-base.manualTrigger", typeVersion: 1, position: [0, 0], parameters: {} },
        { name: "It", type: `${ai}${type}`, typeVersion: 1, position: [200, 0], parameters },
        {
          name: "Loader",
          type: `${ai}documentDefaultDataLoader`,
          typeVersion: 1,
          position: [200, 200],
          parameters: loader,
        },
      ],
      connections: {
        Start: { main: [[{ node: "It", type: "main", index: 0 }]] },
        Loader: { ai_document: [[{ node: "It", type: "ai_document", index: 0 }]] },
      },
    },
    nodeRegistry,
  );

describe("vector stores of n8n in the flow", () => {
  it.each<[string, JsonObject, JsonObject, object]>([
    ["files", { mode: "insert" }, { dataType: "binary" }, { content: "{{json}}" }],
    ["all data", { mode: "insert" }, {}, { content: "{{json}}", name: "It {{run.id}}" }],
    [
      "a text",
      { mode: "update" },
      { dataType: "json", jsonMode: "expressionData", jsonData: "={{ $json.text }}" },
      { content: expect.stringMatching(/^\{\{json\b.*text.*\}\}$/), name: "It {{run.id}}" },
    ],
  ])("add %s to a collection", (_name, parameters, loader, config) => {
    const { node, document } = imported(parameters, loader);
    expect(node("It")).toMatchObject({ type: "add-document", config });
    const problems = validateWorkflow(document, nodeRegistry).filter(({ severity }) => severity === "error");
    // The collection is what a person has to choose, once he has reviewed what the node does.
    expect(problems.map(({ message }) => message)).toEqual([
      "Collection is required.",
      expect.stringContaining("waits for your review"),
    ]);
  });

  it("an older insert node is one, too", () => {
    expect(imported({}, {}, "vectorStoreInMemoryInsert").node("It")?.type).toBe("add-document");
  });

  it("search a collection and give the passages as n8n does", async () => {
    const { node, document } = imported({ mode: "load", prompt: "={{ $json.question }}", topK: 3 });
    const search = Object.values(document.nodes).find(({ type }) => type === "search-documents");
    expect(search).toMatchObject({ config: { query: expect.stringContaining("question"), topK: 3 } });
    expect(node("It")?.type).toBe("code");
    const nodes = Object.entries(document.nodes).map(([id, { unreviewed: _reviewed, ...one }]) => {
      return [id, one.type === "search-documents" ? { ...one, config: { ...one.config, collection: "c" } } : one];
    });
    const chosen = { ...document, nodes: Object.fromEntries(nodes) as typeof document.nodes };
    const metadata = { documentId: "d", document: "a.txt", heading: "", position: 0 };
    const chunks = [{ chunkId: "1", content: "Green lamps.", metadata }];
    const knowledge = knowledgeStore([{ id: "c", name: "C", embedding: null, dimension: null, chunks }]);
    const host = testHost({
      knowledge,
      runCode: async (request) => (await runCode(await openSandbox(), request)).result,
    });
    const run = await runToEnd(chosen, { registry: nodeRegistry, host, input: { question: "lamps" } });
    expect(run.end.output).toMatchObject([
      { document: { pageContent: "Green lamps.", metadata: { document: "a.txt" } }, score: expect.any(Number) },
    ]);
  });
});
