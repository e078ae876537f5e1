import type { NodeRegistry } from "../../engine/document/define-node.ts";
import type { JsonObject } from "../../engine/json.ts";
import { assemble, type Assembled } from "../flow/assemble.ts";
import type { FlowGraph } from "../flow/flow-graph.ts";

/** Reads a cURL command as the settings of a request. */
export type ReadCurl = (
  command: string,
) => { ok: true; request: object; notes: readonly string[] } | { ok: false; problem: string };

/** Whether a text is a cURL command. */
export const isCurl = (text: string): boolean => /^\s*(?:\$\s+)?curl(?:\.exe)?\s/.test(text.slice(0, 1_000));

/** Imports a cURL command: a trigger and the request. Nothing is sent. */
export function importCurl(command: string, readCurl: ReadCurl, registry: NodeRegistry, id: string): Assembled {
  const read = readCurl(command);
  if (!read.ok) return read;
  const request = read.request as JsonObject;
  const url = typeof request.url === "string" ? request.url : "";
  const host = URL.canParse(url) ? new URL(url).host : "request";
  const graph: FlowGraph = {
    format: "curl",
    name: `Request to ${host}`,
    description: "",
    nodes: [
      { id: "start", name: "Start", type: "start", position: { x: 0, y: 0 }, data: {}, added: true },
      { id: "request", name: "Request", type: "curl", position: { x: 320, y: 0 }, data: {} },
    ],
    edges: [{ from: "start", fromHandle: "", to: "request", toHandle: "", added: true }],
    lost: [],
  };
  return assemble(
    graph,
    ({ id: node }) =>
      node === "start"
        ? { step: { type: "manual-trigger", config: {} } }
        : {
            step: { type: "http-request", config: request },
            ...(read.notes.length > 0 ? { outcome: "approximated" as const, note: read.notes.join(" ") } : {}),
          },
    { registry, id, scale: 1 },
  );
}
