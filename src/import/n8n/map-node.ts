import { aiNodes } from "./ai-nodes.ts";
import { dataTable } from "./apps/data-table.ts";
import { fileNodes } from "./file-nodes.ts";
import { flowNodes } from "./flow-nodes.ts";
import { listNodes } from "./list-nodes.ts";
import type { Made, Mapper, Mappers, Use } from "./made.ts";
import { anyMemory, memoryNodes } from "./memory-nodes.ts";
import { anyModel, modelNodes } from "./model-nodes.ts";
import type { NodeWork } from "./node-work.ts";
import { postgresNode, postgresTool } from "./postgres-nodes.ts";
import { services } from "./service-list.ts";
import { serviceRequest } from "./services.ts";
import { namedTool } from "./tool-parameters.ts";
import { toolNodes } from "./tool-nodes.ts";
import { serviceTrigger, triggerNodes } from "./trigger-nodes.ts";
import { serviceName } from "./service-name.ts";
import { vectorStore } from "./vector-nodes.ts";
import { lookup } from "../lookup.ts";

const known: Mappers = {
  ...aiNodes,
  ...modelNodes,
  ...memoryNodes,
  ...toolNodes,
  ...flowNodes,
  ...listNodes,
  ...fileNodes,
};

/** Nodes that are part of a collection of documents here. */
const ofCollections =
  /^(embeddings|textSplitter|documentDefaultDataLoader|document[A-Z]|retriever|reranker|documentBinary)/;

/** Why a node of files, of the machine or of another kind has no counterpart. */
const instead: Readonly<Record<string, string>> = {
  executeCommand: "Nothing here runs commands of the machine. Use a code node, or a server's API.",
  ssh: "Nothing here runs commands of a machine. Use a server's API.",
  ftp: "Files are not moved here. Use a service with an API.",
  readWriteFile:
    "Nothing here reads or writes files of the machine. Get the file from a trigger or by HTTP, and send it by HTTP or give it as the answer.",
  readBinaryFile: "Nothing here reads files of the machine. Get the file from a trigger or by HTTP.",
  writeBinaryFile: "Nothing here writes files of the machine. Send the file by HTTP, or give it as the answer.",
  redis:
    "Nothing here reads or writes keys of Redis. Keep the value in a PostgreSQL table, or call a service with an API.",
  mySql: "Nothing here speaks to MySQL. Use a PostgreSQL database, or a service with an API in front of yours.",
  microsoftSql:
    "Nothing here speaks to SQL Server. Use a PostgreSQL database, or a service with an API in front of yours.",
  mongoDb: "Nothing here speaks to MongoDB. Use a PostgreSQL database, or a service with an API in front of yours.",
  memoryManager:
    "A step that reads or changes a conversation is missing here. The Memory panel shows, edits and clears conversations.",
  editImage: "Images are not edited here.",
};

/** What a node becomes. Never throws: what is not known gives a Made without a type. */
export function mapNode(work: NodeWork, use: Use, zone: string | undefined): Made {
  const { type, fullType } = work.node;
  if (type === "stickyNote") return stickyNote(work);
  if (type.startsWith("vectorStore")) return vectorStore(work, use);
  const mapper = mapperOf(type, fullType, use, zone);
  return mapper(work);
}

function mapperOf(type: string, fullType: string, use: Use, zone: string | undefined): Mapper {
  const own = lookup(known, type);
  const triggers = triggerNodes(zone);
  const trigger = lookup(triggers, type);
  if (use.asTool && !own) {
    const plain = type.replace(/Tool$/, "");
    if (plain === "postgres") return postgresTool;
    if (plain === "dataTable") return (work) => dataTable(work, true);
    const service = lookup(services, plain);
    if (service)
      return (work) => ({
        ...serviceRequest(work, plain, service, true),
        output: (kind) => (kind === "ai_tool" ? "tool" : undefined),
      });
    if (plain === "httpRequest") return toolNodes.httpRequestTool ?? (() => ({}));
    if (plain === "dateTime") return clockTool;
    if (/^mcp/i.test(plain)) return toolNodes.mcpClientTool ?? (() => ({}));
  }
  if (own) return own;
  if (type === "postgres") return postgresNode;
  if (type === "dataTable") return (work) => dataTable(work, false);
  if (trigger) return trigger;
  if (/^lm[A-Z]/.test(type) || use.kinds.has("ai_languageModel")) return anyModel;
  if (/^memory[A-Z]/.test(type) && type !== "memoryManager") return anyMemory;
  if (type.startsWith("outputParser"))
    return () => ({ outcome: "mapped", note: "Became the output format of the agent." });
  if (ofCollections.test(type))
    return () => ({ note: "A collection of the Knowledge page has its own embeddings, and cuts documents itself." });
  const service = lookup(services, type);
  if (service) return (work) => approvalOf(work, type) ?? serviceRequest(work, type, service, false);
  if (type.endsWith("Trigger") || type === "emailReadImap") return serviceTrigger;
  const nothing: Made = {
    outcome: "placeholder",
    note:
      lookup(instead, type) ??
      `Nothing here does what ${fullType || "this node"} did. Use an HTTP request or a code node.`,
  };
  return (work) => approvalOf(work, type) ?? nothing;
}

/** What a service's node that sends a message and waits becomes, where it waits for a yes or a no. */
function approvalOf(work: NodeWork, type: string): Made | undefined {
  const response = work.word("responseType", "approval");
  if (work.word("operation") !== "sendAndWait" || response !== "approval") return undefined;
  return {
    type: "approval",
    config: { message: (work.textOf(work.at("message")) || "Should the workflow continue?").slice(0, 5_000) },
    output: (kind) => (kind === "main" ? "approved" : undefined),
    outcome: "approximated",
    note: `Asks in the inbox and on the canvas instead of through ${serviceName(type)}, for at most seven days. The nodes after it get the answer as "approval.approved".`,
  };
}

/** A tool that says what time it is. */
const clockTool: Mapper = (work) => ({
  type: "code-tool",
  config: { ...namedTool(work, "Tells the current date and time."), code: "return new Date().toISOString();" },
  output: () => "tool",
  outcome: "approximated",
  note: "Tells the current date and time; what else the node did with dates is left to the model.",
});

const tints: Readonly<Record<string, string>> = {
  "1": "yellow",
  "2": "red",
  "3": "red",
  "4": "green",
  "5": "blue",
  "6": "grey",
  "7": "grey",
};

function stickyNote(work: NodeWork): Made {
  const size = (key: string, usual: number) => Math.min(20_000, Math.max(120, work.number(key) ?? usual));
  return {
    type: "sticky-note",
    config: {
      text: String(work.at("content") ?? "").slice(0, 10_000),
      tint: lookup(tints, String(work.at("color") ?? "1")) ?? "yellow",
      width: size("width", 240),
      height: size("height", 160),
    },
  };
}
