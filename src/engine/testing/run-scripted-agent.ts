import type { AgentRun } from "../agent/execution.ts";
import type { FileValue } from "../file/file.ts";
import { RunFiles } from "../file/run-files.ts";
import type { Memory } from "../memory/memory.ts";
import { type AgentOutcome, runAgent } from "../agent/run-agent.ts";
import { type AgentSettings, agentSettings } from "../agent/agent-settings.ts";
import type { ContextRead, Tool, ToolResult } from "../tool/tool.ts";
import type { Json, JsonObject, JsonSchema } from "../json.ts";
import type { ChatModel } from "../model/chat-model.ts";
import type { RunEventBody, RunEventType } from "../run/events.ts";
import { newRunScope } from "../run/run-scope.ts";
import { type Script, scriptedModel, type ScriptedModel } from "./scripted-model.ts";
import { testHost, type TestHost } from "./test-host.ts";

/** What one agent execution in a test consists of; the rest has defaults. */
interface ScriptedAgent {
  script: Script;
  /** Answers in the place of the script. */
  model?: ChatModel;
  settings?: Partial<AgentSettings>;
  tools?: Tool[];
  /** What a node `context` gives the agent to read first. */
  context?: ContextRead[];
  memory?: Memory;
  /** Nodes `fallback`, `fallback-2` and so on. */
  fallback?: ChatModel | ChatModel[];
  host?: TestHost;
  signal?: AbortSignal;
  /** Called with each event as it is made. */
  onEvent?: (event: RunEventBody) => void;
  workflow?: AgentRun["workflow"];
  addUsage?: AgentRun["addUsage"];
  images?: AgentRun["images"];
  files?: AgentRun["files"];
  /** Files of the run, as its store has them; those of the message are `attached`. */
  known?: readonly FileValue[];
  attached?: AgentRun["attached"];
  modelOptions?: Parameters<typeof scriptedModel>[1];
}

/** What came of it. */
interface ScriptedAgentResult {
  outcome: AgentOutcome;
  events: RunEventBody[];
  host: TestHost;
  model: ScriptedModel;
  /** The events of one type. */
  of<Type extends RunEventType>(type: Type): Extract<RunEventBody, { type: Type }>[];
}

/** Runs the agent loop with a scripted model and without a graph: nodes `agent`, `model`, `fallback`, `memory`, `tools`. */
export async function runScriptedAgent(options: ScriptedAgent): Promise<ScriptedAgentResult> {
  const host = options.host ?? testHost();
  const model = scriptedModel(options.script, { host, ...options.modelOptions });
  const events: RunEventBody[] = [];
  const { memory, fallback, tools = [] } = options;
  const run: AgentRun = {
    settings: agentSettings.parse({ userMessage: "Hello", ...options.settings }),
    nodeId: "agent",
    model: { value: options.model ?? model, nodeId: "model", edgeId: "model-edge" },
    fallback: [fallback ?? []].flat().map((value, index) => {
      const nodeId = index === 0 ? "fallback" : `fallback-${index + 1}`;
      return { value, nodeId, edgeId: `${nodeId}-edge` };
    }),
    ...(memory ? { memory: { value: memory, nodeId: "memory", edgeId: "memory-edge" } } : {}),
    tools: [
      ...tools.map((tool) => ({
        value: { tools: [tool] },
        nodeId: `${tool.name}-node`,
        edgeId: `${tool.name}-edge`,
      })),
      { value: { tools: [], context: options.context ?? [] }, nodeId: "context", edgeId: "context-edge" },
    ],
    host,
    workflow: options.workflow ?? { id: "workflow", isHidden: () => false },
    signal: options.signal ?? new AbortController().signal,
    scope: newRunScope(),
    depth: 0,
    addUsage: options.addUsage,
    images: options.images,
    files: options.files,
    ...(options.attached ? { attached: options.attached } : {}),
    runFiles: new RunFiles({
      known: new Map([...(options.known ?? []), ...(options.attached ?? [])].map((file) => [file.$file, file])),
      store: host.files,
      signal: options.signal ?? new AbortController().signal,
      onAdd: (file) => run.emit({ type: "file-add", nodeId: "agent", file }),
      onOpen: () => undefined,
    }),
    emit(event) {
      events.push(event);
      options.onEvent?.(event);
    },
    emitWithin(_callId, event) {
      run.emit(event);
    },
  };
  const outcome = await runAgent(run);
  function of<Type extends RunEventType>(type: Type) {
    return events.filter((event): event is Extract<RunEventBody, { type: Type }> => event.type === type);
  }
  return { outcome, events, host, model, of };
}

/** A tool that counts its calls: answers with `answer`, or with what `answer` returns. */
export function testTool(
  name: string,
  answer: Json | ((input: JsonObject, signal: AbortSignal) => ToolResult | Promise<ToolResult>) = "ok",
  options: { parameters?: JsonSchema } & Partial<
    Pick<Tool, "approval" | "timeoutMs" | "maxResultChars" | "untrusted">
  > = {},
): Tool & { inputs: JsonObject[] } {
  const { parameters = { type: "object" }, ...rest } = options;
  const inputs: JsonObject[] = [];
  return {
    ...rest,
    name,
    description: `Test tool ${name}.`,
    parameters,
    inputs,
    async execute(input, { signal }) {
      inputs.push(input);
      return typeof answer === "function" ? await answer(input, signal) : { ok: true, output: answer };
    },
  };
}

/** A memory in this process with one session named `session`, and every write on record. */
export function testMemory(initial: Parameters<Memory["addMessages"]>[1] = []): Memory & {
  sessions: Map<string, Parameters<Memory["addMessages"]>[1]>;
  writes: { session: string; messages: Parameters<Memory["addMessages"]>[1] }[];
} {
  const sessions = new Map([["session", initial]]);
  const writes: { session: string; messages: typeof initial }[] = [];
  return {
    defaultSession: "session",
    label: "test",
    sessions,
    writes,
    getMessages: (session) => Promise.resolve(sessions.get(session) ?? []),
    addMessages(session, messages) {
      writes.push({ session, messages });
      sessions.set(session, [...(sessions.get(session) ?? []), ...messages]);
      return Promise.resolve();
    },
    clear(session) {
      sessions.delete(session);
      return Promise.resolve();
    },
  };
}
