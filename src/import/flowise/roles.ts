import type { FlowNode } from "../flow/flow-graph.ts";

/** What a node of a chatflow is here; a `part` goes into the settings of what it is wired to. */
export type Role = "agent" | "flow" | "model" | "memory" | "tool" | "knowledge" | "part" | "note" | "other";

const byCategory: Readonly<Record<string, Role>> = {
  "Chat Models": "model",
  LLMs: "model",
  Memory: "memory",
  Tools: "tool",
  "Tools (MCP)": "tool",
  "Vector Stores": "knowledge",
  Chains: "agent",
  Agents: "agent",
  Engine: "agent",
  Embeddings: "part",
  "Text Splitters": "part",
  "Document Loaders": "part",
  Prompts: "part",
  "Output Parsers": "part",
  Retrievers: "part",
  Cache: "part",
  Moderation: "part",
  "Record Manager": "part",
  "Response Synthesizer": "part",
  Graph: "part",
  "Speech to Text": "part",
};

const byType: Readonly<Record<string, Role>> = {
  stickyNote: "note",
  customFunction: "flow",
  ifElseFunction: "flow",
  setVariable: "flow",
  getVariable: "flow",
  agentMemory: "memory",
  seqStart: "flow",
  seqAgent: "agent",
  seqLLMNode: "agent",
  seqEnd: "flow",
  seqCondition: "flow",
  seqConditionAgent: "agent",
  seqLoop: "flow",
  seqState: "part",
  seqToolNode: "flow",
  seqCustomFunction: "flow",
  seqExecuteFlow: "flow",
  supervisor: "agent",
  worker: "agent",
  "chat-message": "flow",
  retrieverTool: "part",
  queryEngineToolLlamaIndex: "part",
};

/** The role of a chatflow's node, by its type and category. */
export function roleOf({ type, data }: FlowNode): Role {
  if (Object.hasOwn(byType, type)) return byType[type] ?? "other";
  const category = typeof data.category === "string" ? data.category : "";
  return Object.hasOwn(byCategory, category) ? (byCategory[category] ?? "other") : "other";
}
