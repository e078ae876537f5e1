import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import { fileStore } from "../../engine/in-memory/file-store.ts";
import type { Json, JsonObject } from "../../engine/json.ts";
import { loadOnce } from "../../engine/load-once.ts";
import { realSleep } from "../../engine/testing/real-sleep.ts";
import { runToEnd } from "../../engine/testing/run-to-end.ts";
import { testHost } from "../../engine/testing/test-host.ts";
import { loadQuickJs } from "../../host/sandbox/load-quickjs.ts";
import { runCode } from "../../host/sandbox/run-code.ts";
import { nodeRegistry } from "../../nodes/index.ts";
import { readImported } from "./read-imported.ts";

const openSandbox = loadOnce(() => loadQuickJs(128 * 1024 * 1024));

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

/** The import of a node that gets a file. */
export const readWithFile = (type: string, version: number, parameters: JsonObject) =>
  readImported(download(type, version, parameters), nodeRegistry);

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

/** What an imported node sends behind the download of cat.png, which is “file” there, and what it gives. */
export const sentWithFile = (type: string, version: number, parameters: JsonObject, answers: readonly Json[] = []) =>
  run(readWithFile(type, version, parameters).document, {}, answers);

/** What an imported node gives for an input. */
export async function outputOfNode(type: string, version: number, parameters: JsonObject, input: JsonObject) {
  const source = {
    nodes: [n8nNode("Start", "manualTrigger", 1, {}), n8nNode("It", type, version, parameters)],
    connections: { Start: to("It") },
  };
  return await run(readImported(source, nodeRegistry).document, input, []);
}

/** Runs a reviewed import with its code in the sandbox. `answers` are those of the services, in their order; every other one is `{}`. */
async function run(document: WorkflowDocument, input: JsonObject, answers: readonly Json[]) {
  const files = fileStore();
  const file = await files.put("cat.png", "image/png", "bytes");
  const requests: JsonObject[] = [];
  const host = {
    ...testHost({
      files,
      runCode: async (request) => (await runCode(await openSandbox(), request)).result,
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
  const { end } = await runToEnd(ready(document), { registry: nodeRegistry, host, input });
  if (end.outcome !== "completed") throw new Error(JSON.stringify(end));
  const textOf = (id: Json | undefined) => new TextDecoder().decode(files.kept.get(String(id))?.bytes);
  return { requests, output: end.output ?? null, textOf };
}
