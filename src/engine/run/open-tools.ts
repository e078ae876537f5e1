import { executeTool, previewTool } from "../tool/execute-tool.ts";
import { progressWords, type Tool, type ToolResult } from "../tool/tool.ts";
import { resultText, type ResultText } from "../tool/tool-result.ts";
import { boundedCheck } from "../json-schema/bounded-check.ts";
import type { NodeRegistry } from "../document/define-node.ts";
import type { Problem } from "../document/problem.ts";
import { reviewProblems } from "../document/review.ts";
import type { WorkflowDocument } from "../document/workflow-document.ts";
import type { Host } from "../host.ts";
import type { Json, JsonObject } from "../json.ts";
import { errorData, RunError, type RunErrorData } from "../errors.ts";
import type { RunEvent } from "./events.ts";
import { Flow } from "./flow.ts";
import { serve } from "./node-inputs.ts";
import { mainNodeOf } from "./preview-scope.ts";
import { RunLog } from "./run-log.ts";
import { newRunScope } from "./run-scope.ts";
import { createPauser } from "./pauser.ts";
import { ancestorsOf, type NodePlan, planRun, type RunPlan } from "./run-plan.ts";
import { noTaint } from "../trust/taint.ts";
import type { RunState } from "./run-state.ts";
import { runWorkflow } from "./run-workflow.ts";

/** What opening a tool node outside a run needs. */
interface OpenToolsOptions {
  registry: NodeRegistry;
  host: Host;
  signal: AbortSignal;
  /** A run whose data templates see: the agent's input and the outputs of nodes before it. */
  state?: RunState;
  /** Gets the log lines, warnings and nested events of everything that happens. */
  onEvent?(event: RunEvent): void;
}

/** One call outside a run. Time in milliseconds. */
export interface TriedCall extends ResultText {
  ok: boolean;
  durationMs: number;
}

/** The tools of one node, ready to be called. */
export interface OpenTools {
  tools: readonly Tool[];
  /** Stands for the server and the credential that they were made with; undefined where there is none. */
  server: string | undefined;
  /** What the interfaces of these tools may call. */
  appTools: ReadonlyMap<string, Tool>;
  /** Checks the arguments as a run does, then calls; ignores the node's approval setting. Never rejects. */
  call(tool: Tool, input: JsonObject, signal: AbortSignal): Promise<TriedCall>;
  /** What such a call would do, of a tool that has a preview. Never rejects. */
  preview(tool: Tool, input: JsonObject, signal: AbortSignal): Promise<TriedCall>;
  /** Only makes the call; `onApp` gets what an interface would be shown. Never rejects. */
  execute(
    tool: Tool,
    input: JsonObject,
    signal: AbortSignal,
    onApp?: (output: JsonObject) => void,
  ): Promise<ToolResult>;
  /** Ends what the node has open, such as a server's session. */
  close(): Promise<void>;
}

/** Opened tools, or why the node has none. */
type OpenedTools = { ok: true; opened: OpenTools } | { ok: false; error: RunErrorData };

function isTool(value: unknown): value is Tool {
  return typeof value === "object" && value !== null && "execute" in value && typeof value.execute === "function";
}

function toolsOf(value: unknown): Tool[] {
  if (typeof value !== "object" || value === null || !("tools" in value) || !Array.isArray(value.tools)) return [];
  return value.tools.filter(isTool);
}

function appToolsOf(value: unknown): ReadonlyMap<string, Tool> {
  if (typeof value !== "object" || value === null || !("appTools" in value)) return new Map();
  return value.appTools instanceof Map ? value.appTools : new Map();
}

function serverOf(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null || !("server" in value)) return undefined;
  return typeof value.server === "string" ? value.server : undefined;
}

/** Why a node, or one that serves it, may not run yet: it was imported and nobody has looked at it. */
function unreviewedOf(plan: RunPlan, start: NodePlan): Problem | undefined {
  const open = new Set([start]);
  for (const { node, definition, services } of open) {
    const [problem] = reviewProblems({ node, definition, incoming: [], outgoing: [] });
    if (problem) return problem;
    for (const edge of services) {
      const service = plan.nodes.get(edge.from.node);
      if (service) open.add(service);
    }
  }
  return undefined;
}

/**
 * Makes the tools of a tool node, or of an agent that serves as one, as a run would, so that a person can look at them and
 * try them. Never rejects.
 */
export async function openTools(
  document: WorkflowDocument,
  nodeId: string,
  { registry, host, signal, state, onEvent }: OpenToolsOptions,
): Promise<OpenedTools> {
  const plan = planRun(document, registry);
  const own = plan.nodes.get(nodeId);
  const main = plan.nodes.get(mainNodeOf(document, plan, nodeId)) ?? own;
  const port = Object.entries(own?.definition.outputs ?? {}).find(([, { kind }]) => kind === "tool")?.[0];
  if (!own || !main || port === undefined) {
    const message = "This node offers no tools.";
    return { ok: false, error: { code: "invalid_config", message, hint: "Choose a tool node.", retryable: false } };
  }
  const waiting = unreviewedOf(plan, own);
  if (waiting) {
    const { code, message, hint } = waiting;
    return { ok: false, error: { code, message, hint, nodeId: waiting.nodeId, retryable: false } };
  }
  const pinned: Record<string, Json> = {};
  for (const id of ancestorsOf(plan, main.id)) {
    const output = id === main.id ? undefined : state?.nodes[id]?.output;
    if (output !== undefined) pinned[id] = output;
  }
  const controller = new AbortController();
  signal.addEventListener("abort", () => controller.abort(signal.reason), { once: true });
  const runId = host.newId();
  const scope = newRunScope();
  const endWork: (() => Promise<void>)[] = [];
  const pauser = createPauser({ host, stop: () => controller.abort() });
  const flow = new Flow({
    shared: {
      runId,
      depth: 0,
      document,
      plan,
      host,
      log: new RunLog({ runId, now: () => host.now(), write: (event) => onEvent?.(event) }),
      vars: document.vars ?? {},
      pinned,
      scope,
      pauser,
      // A tool that is tried out, such as an agent, leaves no trace in a conversation.
      scratch: new Map(),
      startNested: (nested, { input, untrusted, signal: stop, host: inner }) =>
        runWorkflow(nested, {
          input,
          untrusted,
          signal: stop,
          host: inner,
          registry,
          scope,
          depth: 1,
          ignorePins: true,
          scratch: true,
        }),
      endWork,
    },
    members: new Set(),
    controller,
  });
  const edge = { id: "", from: { node: nodeId, port }, to: { node: main.id, port: "" } };
  const json = state?.nodes[main.id]?.input ?? {};
  try {
    const { value } = await serve({ flow, consumer: main, main, json }, edge);
    const opened = openedTools(toolsOf(value), host, flow, nodeId, endWork);
    return { ok: true, opened: { ...opened, server: serverOf(value), appTools: appToolsOf(value) } };
  } catch (error) {
    return { ok: false, error: error instanceof RunError ? error.data : errorData(error, own.node, signal) };
  }
}

function openedTools(
  tools: readonly Tool[],
  host: Host,
  flow: Flow,
  nodeId: string,
  endWork: readonly (() => Promise<void>)[],
): Omit<OpenTools, "server" | "appTools"> {
  function perform(
    tool: Tool,
    input: JsonObject,
    signal: AbortSignal,
    onApp?: (output: JsonObject) => void,
  ): Promise<ToolResult> {
    return executeTool(host, tool, input, signal, (limit) => ({
      signal: limit.signal,
      callId: host.newId(),
      depth: 1,
      untrusted: noTaint,
      pausedWhile: (wait) => limit.pausedWhile(wait),
      addUsage() {},
      spending: [],
      log(message, data) {
        flow.emit({ type: "log", nodeId, level: "info", message, ...(data === undefined ? {} : { data }) });
      },
      ask({ message }) {
        const asked = `The tool asks: ${message} A try answers no questions, so it was declined.`;
        flow.emit({ type: "log", nodeId, level: "info", message: asked });
        return Promise.resolve({ action: "decline" });
      },
      ...(onApp ? { showApp: (output) => Promise.resolve(onApp(output)) } : {}),
      tellProgress(progress) {
        flow.emit({ type: "log", nodeId, level: "info", message: progressWords(progress) });
      },
    }));
  }
  async function previewed(tool: Tool, input: JsonObject, signal: AbortSignal): Promise<ToolResult> {
    const preview = await previewTool(host, tool, input, signal);
    return preview ?? { ok: false, error: { message: "This tool has no preview.", hint: "Call it." } };
  }
  async function tried(
    tool: Tool,
    input: JsonObject,
    signal: AbortSignal,
    work: () => Promise<ToolResult>,
  ): Promise<TriedCall> {
    const startedAt = host.now();
    const checked = await boundedCheck(host, tool.parameters, () => signal)(input);
    const result: ToolResult = checked.ok
      ? await work()
      : { ok: false, error: { message: `Invalid arguments. ${checked.reason}` } };
    const durationMs = Math.max(0, host.now() - startedAt);
    return { ...resultText(result, tool.maxResultChars), ok: result.ok, durationMs };
  }
  return {
    tools,
    execute: perform,
    call: (tool, input, signal) => tried(tool, input, signal, () => perform(tool, input, signal)),
    preview: (tool, input, signal) => tried(tool, input, signal, () => previewed(tool, input, signal)),
    async close() {
      await Promise.allSettled(endWork.map((work) => work()));
    },
  };
}
