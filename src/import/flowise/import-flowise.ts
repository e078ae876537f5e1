import type { NodeRegistry } from "../../engine/document/define-node.ts";
import type { JsonObject } from "../../engine/json.ts";
import { assemble, type Assembled } from "../flow/assemble.ts";
import type { Bench } from "../flow/bench.ts";
import type { FlowNode } from "../flow/flow-graph.ts";
import { placeholder, type Made } from "../flow/made.ts";
import * as agentflow from "./agentflow-nodes.ts";
import * as chatflow from "./chatflow-nodes.ts";
import { readFlowise, textOf } from "./read-flowise.ts";
import { FlowiseWork } from "./references.ts";
import { type Role, roleOf } from "./roles.ts";

/** Mappers by Flowise's types: agentflows first, then what chatflows and the older agentflows have. */
const byType: Readonly<Record<string, (work: FlowiseWork) => Made>> = {
  startAgentflow: agentflow.start,
  llmAgentflow: agentflow.agent,
  agentAgentflow: agentflow.agent,
  conditionAgentflow: agentflow.condition,
  conditionAgentAgentflow: agentflow.conditionAgent,
  httpAgentflow: agentflow.http,
  toolAgentflow: agentflow.tool,
  customFunctionAgentflow: agentflow.customFunction,
  retrieverAgentflow: agentflow.retriever,
  directReplyAgentflow: agentflow.reply,
  iterationAgentflow: agentflow.iteration,
  "iteration-item": agentflow.iterationItem,
  loopAgentflow: agentflow.loop,
  "repeat-turns": agentflow.repeatTurns,
  "repeat-turn": agentflow.repeatTurn,
  humanInputAgentflow: agentflow.humanInput,
  stickyNoteAgentflow: agentflow.note,
  "chat-message": agentflow.start,
  seqStart: agentflow.start,
  seqAgent: chatflow.member,
  seqLLMNode: chatflow.member,
  supervisor: chatflow.member,
  worker: chatflow.member,
  seqEnd: chatflow.end,
  seqLoop: agentflow.loop,
  seqToolNode: chatflow.toolNode,
  seqCondition: chatflow.condition,
  seqConditionAgent: chatflow.conditionAgent,
  seqCustomFunction: agentflow.customFunction,
  customFunction: agentflow.customFunction,
  ifElseFunction: chatflow.ifElse,
};

const byRole: Readonly<Partial<Record<Role, (work: FlowiseWork) => Made>>> = {
  note: agentflow.note,
  model: chatflow.model,
  memory: chatflow.memory,
  tool: chatflow.tool,
  knowledge: chatflow.knowledge,
  part: chatflow.part,
  agent: chatflow.chain,
};

const instead: Readonly<Record<string, string>> = {
  executeFlowAgentflow: "Import the other flow as well and give it to an agent as a workflow tool.",
  seqExecuteFlow: "Import the other flow as well and give it to an agent as a workflow tool.",
  setVariable: "Read the value where it was made, by the name of its node.",
  getVariable: "Read the value where it was made, by the name of its node.",
};

function map(node: FlowNode, bench: Bench): Made {
  const work = new FlowiseWork(node, bench);
  const mapper = Object.hasOwn(byType, node.type) ? byType[node.type] : byRole[roleOf(node)];
  if (!mapper) {
    const known = Object.hasOwn(instead, node.type) ? instead[node.type] : undefined;
    return placeholder(
      node.type,
      work.inputs,
      known ?? "Nothing here does the same. Use an HTTP request or a code node.",
    );
  }
  return withCredential(mapper(work), node);
}

/** The credential that a node names by its id. */
function withCredential(made: Made, { data }: FlowNode): Made {
  const named = textOf(data.credential);
  if (named === "" || made.credentials) return made;
  return { ...made, credentials: [{ type: "credential", note: "The one in the file does not come along." }] };
}

/** Imports one flow of Flowise. Nothing is run or asked for. Never throws on what a file may hold. */
export function importFlowise(source: JsonObject, registry: NodeRegistry, id: string): Assembled {
  return assemble(readFlowise(source), map, { registry, id, scale: 1.1 });
}
