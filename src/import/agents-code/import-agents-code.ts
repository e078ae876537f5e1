import type { NodeRegistry } from "../../engine/document/define-node.ts";
import type { JsonObject } from "../../engine/json.ts";
import { assemble, type Assembled } from "../flow/assemble.ts";
import { type Bench, optionalPath } from "../flow/bench.ts";
import type { FlowEdge, FlowGraph, FlowNode } from "../flow/flow-graph.ts";
import { placeholder, type Made } from "../flow/made.ts";
import { modelService } from "../flow/models.ts";
import { toolName } from "../tool-name.ts";
import { type AgentCode, agentOf, type Program, readProgram, resolved } from "./program.ts";
import { CodeWork } from "./references.ts";
import { bare, child, children, elementsOf, parseModule, propertiesOf, type Syntax, textOf } from "./syntax.ts";
import { toolsOf } from "./tools.ts";
import type { Flow, Step } from "./flow-steps.ts";
import { FlowWalker } from "./walk-flow.ts";
import { jsonOf, schemaOf } from "./zod-schema.ts";

/** Agents that another one hands over to, or calls as a tool: the expressions, with the name and words of the tool. */
function helpersOf(
  program: Program,
  agent: AgentCode,
): { agent: AgentCode; name?: string; words?: string; node: Syntax }[] {
  const handoffs = elementsOf(resolved(program, agent.settings.get("handoffs")));
  const tools = elementsOf(resolved(program, agent.settings.get("tools")));
  return [...handoffs, ...tools].flatMap((one) => {
    const node = resolved(program, one);
    const callee = bare(child(node, "callee"));
    const owner = callee?.type === "MemberExpression" ? agentOf(program, child(callee, "object")) : undefined;
    const [first] = children(node, "arguments");
    const target = agentOf(program, one) ?? owner ?? (first && agentOf(program, first));
    if (!target || target === agent) return [];
    const settings = propertiesOf(owner ? first : undefined);
    const name = textOf(settings.get("toolName"));
    const words = textOf(settings.get("toolDescription"));
    return [
      { agent: target, node: one, ...(name === undefined ? {} : { name }), ...(words === undefined ? {} : { words }) },
    ];
  });
}

/** The flow's graph, with agents that serve others as nodes of their own. */
function graphOf(
  program: Program,
  flow: Flow,
  name: string,
): { graph: FlowGraph; helpers: ReadonlyMap<string, AgentCode> } {
  const nodes = [...flow.nodes];
  const edges: FlowEdge[] = [...flow.edges];
  const helpers = new Map<string, AgentCode>();
  const ids = new Map<AgentCode, string>();
  const open: { agent: AgentCode; id: string; above: readonly AgentCode[] }[] = [];
  for (const [id, step] of flow.steps)
    if (step.kind === "run") open.push({ agent: step.agent, id, above: [step.agent] });
  const lost: FlowGraph["lost"] = [];
  for (let next = open.shift(); next; next = open.shift()) {
    const { agent, id, above } = next;
    for (const helper of helpersOf(program, agent)) {
      if (above.includes(helper.agent) || above.length > 4) {
        lost.push({
          from: agent.name,
          to: helper.agent.name,
          why: "Hands back to an agent above it, which gets the answer anyway.",
        });
        continue;
      }
      let known = ids.get(helper.agent);
      if (known === undefined) {
        known = `helper${ids.size}`;
        ids.set(helper.agent, known);
        helpers.set(known, helper.agent);
        nodes.push({
          id: known,
          name: helper.agent.name,
          type: "Agent",
          position: { x: 150 + ids.size * 300, y: -260 },
          data: { ...(helper.name ? { toolName: helper.name } : {}), ...(helper.words ? { words: helper.words } : {}) },
        });
        open.push({ agent: helper.agent, id: known, above: [...above, helper.agent] });
      }
      edges.push({ from: known, fromHandle: "tool", to: id, toHandle: "tools" });
    }
  }
  return { graph: { format: "agent-builder", name, description: "", nodes, edges, lost }, helpers };
}

/** A loop of a program has no bound; one here has. */
const mostTurns = 100;

interface Reading {
  program: Program;
  flow: Flow;
  helpers: ReadonlyMap<string, AgentCode>;
}

function map(node: FlowNode, bench: Bench, { program, flow, helpers }: Reading): Made {
  const helper = helpers.get(node.id);
  if (helper) return agentNode(helper, node, bench, { program, flow, helpers }, undefined);
  const step = flow.steps.get(node.id);
  const work = new CodeWork(node, bench, program, flow);
  switch (step?.kind) {
    case "start":
      return { step: { type: "chat-trigger", config: {} } };
    case "run":
      return agentNode(step.agent, node, bench, { program, flow, helpers }, step);
    case "if": {
      const test = work.value(step.test);
      return {
        step: { type: "if", config: { condition: `{{truthy(${test})}}` } },
        output: (handle) => handle,
        ...(test === "null"
          ? { outcome: "approximated", note: "Its condition cannot be translated and counts as false: write it anew." }
          : {}),
      };
    }
    case "set": {
      const fields = [...step.values].map(([key, value]) => [key, `{{${work.value(value)}}}`]);
      const keepInput = step.only !== true;
      return { step: { type: "set-fields", config: { fields: Object.fromEntries(fields), keepInput } } };
    }
    case "while":
      return {
        step: {
          type: "repeat",
          config: { until: `{{!truthy(${work.value(step.test)})}}`, asked: step.asked, mostTurns: mostTurns },
        },
        output: (handle) => (handle === "item" ? "main" : "done"),
        note: `Ends after ${mostTurns} turns at the latest.`,
      };
    case "turn": {
      const fields = step.keys.map((key) => [key, `{{${optionalPath("json", [key])}.orValue(null)}}`]);
      return { step: { type: "set-fields", config: { fields: Object.fromEntries(fields), keepInput: false } } };
    }
    case "answer":
      return answer(step.value, work);
    case "guardrails":
      return guardrails(step, work);
    case "approval": {
      const message = work.text(step.message) || "Should the workflow continue?";
      return {
        step: { type: "approval", config: { message: message.slice(0, 5_000) } },
        output: (handle) => (handle === "rejected" ? "declined" : "approved"),
      };
    }
    case "each":
      return {
        step: { type: "for-each", config: { items: `{{items(${work.value(step.list)})}}`, concurrency: 1 } },
        output: (handle) => (handle === "item" ? "main" : "done"),
      };
    case "item":
      return { step: { type: "set-fields", config: { fields: { item: "{{json}}" }, keepInput: false } } };
    case "stop":
      return { step: { type: "stop", config: { message: work.text(step.message) || "The workflow stopped." } } };
    default:
      return placeholder(
        node.type,
        { source: step?.kind === "unknown" ? step.source : "" },
        step?.kind === "unknown" ? step.words : "Nothing here does the same.",
      );
  }
}

/** What a program returns: fields, or one answer. */
function answer(value: Syntax, work: CodeWork): Made {
  const fields = propertiesOf(work.found(value));
  const made: JsonObject = {};
  // What it calls the text of its answer is what a chat shows here.
  for (const [key, inner] of fields) made[key === "output_text" ? "response" : key] = work.text(inner);
  if (fields.size === 0) made.response = work.text(value);
  return { step: { type: "set-fields", config: { fields: made, keepInput: false } } };
}

const checks: Readonly<Record<string, JsonObject>> = {
  jailbreak: { jailbreak: true },
  moderation: { moderation: true },
  pii: { pii: "fail" },
  keyword: { keywords: true },
};

function guardrails(step: Extract<Step, { kind: "guardrails" }>, work: CodeWork): Made {
  const config = jsonOf(work.program, step.config);
  const list = typeof config === "object" && config !== null && !Array.isArray(config) ? config.guardrails : [];
  const found = (Array.isArray(list) ? list : []).flatMap((one) => {
    const name = typeof one === "object" && one !== null && !Array.isArray(one) ? one.name : undefined;
    return typeof name === "string" ? [name] : [];
  });
  const made = Object.entries(checks).filter(([key]) => found.some((name) => name.toLowerCase().includes(key)));
  const odd = found.filter((name) => !made.some(([key]) => name.toLowerCase().includes(key)));
  const asks = made.some(([key]) => key === "jailbreak" || key === "moderation");
  const { service } = modelService({ vendor: "openai", model: "", parameters: {} });
  return {
    step: {
      type: "guardrails",
      config: { text: work.asked(step.input), ...Object.assign({}, ...made.map(([, one]) => one)) },
    },
    services: asks ? [service] : [],
    output: (handle) => (handle === "fail" ? "fail" : "pass"),
    ...(asks ? { needs: "a credential for the model" } : {}),
    ...(odd.length > 0
      ? { outcome: "approximated", note: `Not checked here: ${odd.join(", ")}.` }
      : { note: "Look over what it checks for." }),
  };
}

function agentNode(
  agent: AgentCode,
  node: FlowNode,
  bench: Bench,
  { program, flow }: Reading,
  run: Extract<Step, { kind: "run" }> | undefined,
): Made {
  const { settings } = agent;
  const work = new CodeWork(node, bench, program, flow, run?.context);
  const isHelper = (one: Syntax) => helpersOf(program, agent).some((helper) => helper.node === one);
  const tools = toolsOf(program, settings, isHelper);
  const model = settings.get("model");
  const options = jsonOf(program, settings.get("modelSettings"));
  const parameters = typeof options === "object" && options !== null && !Array.isArray(options) ? options : {};
  const reasoning = parameters.reasoning;
  const effort: JsonObject =
    typeof reasoning === "object" && reasoning !== null && !Array.isArray(reasoning)
      ? { reasoningEffort: reasoning.effort ?? null }
      : {};
  const named = textOf(resolved(program, model));
  const { service } = modelService({ vendor: "openai", model: named ?? "", parameters: { ...parameters, ...effort } });
  const schema =
    settings.has("outputType") && textOf(settings.get("outputType")) === undefined
      ? schemaOf(program, settings.get("outputType"))
      : undefined;
  const words =
    textOf(settings.get("handoffDescription")) ?? (typeof node.data.words === "string" ? node.data.words : undefined);
  const asTool = run === undefined;
  const shown = typeof node.data.toolName === "string" ? node.data.toolName : agent.name;
  const guarded = ["inputGuardrails", "outputGuardrails"].filter(
    (key) => elementsOf(resolved(program, settings.get(key))).length > 0,
  );
  const choice = parameters.toolChoice;
  const inner = settings.get("instructions");
  return {
    step: {
      type: "ai-agent",
      config: {
        systemPrompt: inner ? work.text(inner) : "",
        userMessage: asTool ? "{{json.message}}" : work.asked(run.input),
        ...(schema ? { outputFormat: "json", outputSchema: schema } : {}),
        ...(choice === "required" || choice === "none" ? { toolChoice: choice } : {}),
        ...(asTool
          ? {
              toolName: toolName(shown),
              toolDescription: (words ?? `Asks ${agent.name}. Give it one complete task.`).slice(0, 4_000),
            }
          : {}),
      },
    },
    services: [service, ...tools.services],
    needs: ["a credential for the model", ...tools.needs].filter(Boolean).join(", "),
    credentials: tools.credentials,
    note: [
      ...(model && named === undefined ? ["Its model is worked out in the code: choose one."] : []),
      ...(asTool ? ["Became an agent that others call as a tool; a handoff comes back with its answer."] : []),
      ...tools.notes,
    ].join(" "),
    settings: guarded.map((name) => ({
      name,
      outcome: "approximated",
      note: "A function of the code checked the text: put a guardrails node, or an agent and an If, in its place.",
    })),
    input: (handle) => (handle === "tools" ? "tools" : "main"),
    output: (handle) => (handle === "tool" ? "tool" : "main"),
  };
}

/** Imports the code of agents of OpenAI's Agents SDK. It is parsed and never run. Never throws on what a file may hold. */
export function importAgentsCode(source: string, registry: NodeRegistry, id: string): Assembled {
  const parsed = parseModule(source);
  if (!parsed.ok) return parsed;
  const program = readProgram(source, parsed.tree);
  if (program.agents.length === 0) return { ok: false, problem: "The code makes no agent of the Agents SDK." };
  const flow = new FlowWalker(program).walk();
  const title = /withTrace\(\s*["'`]([^"'`]{1,150})["'`]/.exec(source)?.[1] ?? program.agents[0]?.name ?? "Agents";
  const { graph, helpers } = graphOf(program, flow, title);
  const mapped = (node: FlowNode, bench: Bench): Made => {
    const made = map(node, bench, { program, flow, helpers });
    const left = (flow.left.get(node.id) ?? []).map((one) => ({ ...one, outcome: "approximated" as const }));
    return { ...made, settings: [...(made.settings ?? []), ...left] };
  };
  return assemble(graph, mapped, { registry, id, scale: 1 });
}
