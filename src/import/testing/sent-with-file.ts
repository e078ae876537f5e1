import type { NodeRegistry } from "../../engine/document/define-node.ts";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import { fileStore } from "../../engine/in-memory/file-store.ts";
import type { Json, JsonObject } from "../../engine/json.ts";
import { realSleep } from "../../engine/testing/real-sleep.ts";
import { runToEnd } from "../../engine/testing/run-to-end.ts";
import { testHost, type TestHostOptions } from "../../engine/testing/test-host.ts";
import { readImported } from "./read-imported.ts";

/** A node as n8n exports it. */
export const n8nNode = (name: string, type: string, typeVersion: number, parameters: JsonObject) => ({
  name,
  type: `n8n-nodes-base.${type}`,
  typeVersion,
  position: [0, 0],
  parameters,
});

/** Edges to one node. */
export const to = (name: string, type = "main") => ({ [type]: [[{ node: name, type, index: 0 }]] });

/** A download of a picture, and the node “It” behind it. */
const download = (type: string, version: number, parameters: JsonObject) => ({
  nodes: [
    n8nNode("Start", "manualTrigger", 1, {}),
    n8nNode("Get", "httpRequest", 4.2, {
      url: "https://a.test/cat.png",
      options: { response: { response: { responseFormat: "file" } } },
    }),
    n8nNode("It", type, version, parameters),
  ],
  connections: { Start: to("Get"), Get: to("It") },
});

/** As a person who has reviewed it, chosen credentials and written what stands in angle brackets. */
function ready(document: WorkflowDocument): WorkflowDocument {
  const nodes = Object.entries(document.nodes).map(([id, { unreviewed: _reviewed, ...one }]) => {
    const credential = "11111111-1111-4111-8111-111111111111";
    const config: JsonObject = { ...one.config, ...(one.config["needsCredential"] === true ? { credential } : {}) };
    if (typeof config["url"] === "string") config["url"] = config["url"].replace(/<[\w -]+>/g, "demo");
    return [id, { ...one, config }];
  });
  return { ...document, nodes: Object.fromEntries(nodes) as WorkflowDocument["nodes"] };
}

/** Reads and runs single nodes of n8n, with their code where `runCode` runs it. */
export function nodeRuns({ registry, runCode }: { registry: NodeRegistry; runCode?: TestHostOptions["runCode"] }) {
  const readWithFile = (type: string, version: number, parameters: JsonObject) =>
    readImported(download(type, version, parameters), registry);
  return {
    /** The import of a node that gets a file. */
    readWithFile,
    /** What an imported node sends behind the download of cat.png, which is “file” there, and what it gives. */
    sentWithFile: (type: string, version: number, parameters: JsonObject, answers: readonly Json[] = []) =>
      run(readWithFile(type, version, parameters).document, { registry, runCode, input: {}, answers }),
    /** What an imported node gives for an input. */
    async outputOfNode(type: string, version: number, parameters: JsonObject, input: JsonObject) {
      const source = {
        nodes: [n8nNode("Start", "manualTrigger", 1, {}), n8nNode("It", type, version, parameters)],
        connections: { Start: to("It") },
      };
      return await run(readImported(source, registry).document, { registry, runCode, input, answers: [] });
    },
  };
}

interface RunOptions {
  registry: NodeRegistry;
  runCode: TestHostOptions["runCode"];
  input: JsonObject;
  /** Those of the services, in their order; every other answer is `{}`. */
  answers: readonly Json[];
}

async function run(document: WorkflowDocument, { registry, runCode, input, answers }: RunOptions) {
  const files = fileStore();
  const file = await files.put("cat.png", "image/png", "bytes");
  const requests: JsonObject[] = [];
  const host = {
    ...testHost({
      files,
      ...(runCode === undefined ? {} : { runCode }),
      functions: {
        "execute-http": ({ method, url, query, headers, body, file: whole, parts, credential }) => {
          const got: JsonObject = { statusCode: 200, body: null, file };
          if (url === "https://a.test/cat.png") return { ok: true, body: got };
          const answer = JSON.stringify(answers[requests.length] ?? {});
          const more = JSON.parse(
            JSON.stringify({ query, headers, body, file: whole, parts }).replaceAll(file.$file, "file"),
          ) as JsonObject;
          requests.push({ line: `${String(method)} ${String(url)}`, isSigned: credential !== undefined, ...more });
          const said: JsonObject = { statusCode: 200, headers: { "content-type": "application/json" }, body: answer };
          return { ok: true, body: said };
        },
      },
    }),
    sleep: realSleep,
  };
  const { end } = await runToEnd(ready(document), { registry, host, input });
  if (end.outcome !== "completed") throw new Error(JSON.stringify(end));
  const textOf = (id: Json | undefined) => new TextDecoder().decode(files.kept.get(String(id))?.bytes);
  return { requests, output: end.output ?? null, textOf };
}
