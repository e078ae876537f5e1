import { isJsonObject, type JsonObject } from "../../engine/json.ts";
import type { FlowEdge, FlowGraph, FlowNode } from "../flow/flow-graph.ts";

/** An app without a graph of its own (a chatbot, an agent or a text generator) as a graph: its input and its agent. */
export function chatAppGraph(
  model: JsonObject,
  mode: string,
  name: string,
): Pick<FlowGraph, "nodes" | "edges" | "lost"> {
  const fields = (Array.isArray(model.user_input_form) ? model.user_input_form : []).filter(isJsonObject);
  const variables = fields.flatMap((one) => Object.entries(one).filter(([, field]) => isJsonObject(field)));
  const start: FlowNode = {
    id: "start",
    name: "Start",
    type: "start",
    position: { x: 0, y: 0 },
    data: { variables: variables.map(([type, field]) => ({ ...(isJsonObject(field) ? field : {}), type })) },
  };
  const isChat = mode.includes("chat");
  const agent: FlowNode = {
    id: "app",
    name: name === "Start" ? "Agent" : name,
    type: isChat ? "chat-app" : "completion-app",
    position: { x: 320, y: 0 },
    data: model,
  };
  const edge: FlowEdge = { from: "start", fromHandle: "source", to: "app", toHandle: "target", added: true };
  return { nodes: [{ ...start, added: true }, agent], edges: [edge], lost: [] };
}
