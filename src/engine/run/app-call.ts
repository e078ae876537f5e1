import type { NodeRegistry } from "../document/define-node.ts";
import type { WorkflowDocument } from "../document/workflow-document.ts";
import { errorData, RunError, type RunErrorData } from "../errors.ts";
import type { ApprovalDecision, Host } from "../host.ts";
import type { JsonObject } from "../json.ts";
import { boundedCheck } from "../json-schema/bounded-check.ts";
import { resultText } from "../tool/tool-result.ts";
import type { Tool, ToolResult } from "../tool/tool.ts";
import { sourceNamed } from "../trust/taint.ts";
import type { RunEvent, RunOutcome } from "./events.ts";
import { type OpenTools, openTools } from "./open-tools.ts";
import { RunLog } from "./run-log.ts";
import type { RunState } from "./run-state.ts";
import { storedFirst } from "./stored-first.ts";

/** What an interface asks its server to do. */
export interface AppCall {
  /** The interface's address, `ui://…`. */
  uri: string;
  /** The server and the credential of the call whose result it shows, as `ToolApp` has them. */
  server: string;
  /** The agent that called the tool, and the node of the tool. */
  nodeId: string;
  toolNodeId: string;
  /** The tool by the server's own name. */
  toolName: string;
  input: JsonObject;
  /** The run whose result the interface shows. */
  ofRun: string;
}

interface AppCallOptions {
  runId: string;
  registry: NodeRegistry;
  host: Host;
  signal: AbortSignal;
  /** The run that the interface belongs to: templates of the node see its data. */
  state?: RunState;
  onEvent(event: RunEvent): void;
}

/** The result as the server gave it, or why there is none, in words for the interface. */
export type AppAnswer = { ok: true; output: JsonObject } | { ok: false; message: string };

interface Place {
  nodeId: string;
  toolNodeId: string;
  edgeId: string;
  callId: string;
  toolName: string;
}

/**
 * Makes a call that a tool's interface asks for, as a run of its own. The call goes to the same server only, to a tool that is approved
 * and for interfaces, with arguments that fit it; a person is asked unless the tool never asks, since an interface is code of strangers.
 * Never rejects.
 */
export async function runAppCall(
  document: WorkflowDocument,
  call: AppCall,
  { runId, registry, host, signal, state, onEvent }: AppCallOptions,
): Promise<AppAnswer> {
  const startedAt = host.now();
  const log = new RunLog({ runId, now: () => host.now(), write: onEvent });
  const untrusted = [sourceNamed(`the interface ${call.uri}`)];
  const { uri, toolName, input, ofRun } = call;
  log.emit({
    type: "run-start",
    workflowId: document.id,
    workflowName: document.name,
    input: { interface: uri, tool: toolName, arguments: input, run: ofRun },
    untrusted,
  });
  const finish = (outcome: RunOutcome, error?: RunErrorData) => {
    const usage = { ...log.usage };
    const durationMs = Math.max(0, host.now() - startedAt);
    log.emit({
      type: "run-end",
      outcome,
      output: null,
      ...(error && { error }),
      usage,
      costUsd: log.costUsd,
      durationMs,
      untrusted,
    });
  };

  const opening = await openTools(document, call.toolNodeId, {
    registry,
    host,
    signal,
    ...(state ? { state } : {}),
    onEvent({ runId: _run, seq: _seq, at: _at, ...event }) {
      if (event.type === "warning" || event.type === "log") log.emit(event);
    },
  });
  if (!opening.ok) {
    finish("failed", opening.error);
    return { ok: false, message: opening.error.message };
  }
  try {
    const answer = await makeCall(opening.opened, call, { host, signal, log, untrusted });
    if (signal.aborted) finish("cancelled");
    else finish("completed");
    return answer;
  } catch (error) {
    const data =
      error instanceof RunError ? error.data : errorData(error, { id: call.toolNodeId, title: toolName }, signal);
    finish(signal.aborted ? "cancelled" : "failed", data);
    return { ok: false, message: data.message };
  } finally {
    await opening.opened.close();
  }
}

interface CallContext {
  host: Host;
  signal: AbortSignal;
  log: RunLog;
  untrusted: readonly string[];
}

async function makeCall(
  opened: OpenTools,
  { nodeId, toolNodeId, toolName, input, server }: AppCall,
  context: CallContext,
): Promise<AppAnswer> {
  const { host, log, signal } = context;
  const place: Place = { nodeId, toolNodeId, edgeId: "", callId: host.newId(), toolName };
  const startedAt = host.now();
  log.emit({ type: "tool-call-start", ...place, input });
  const end = (result: ToolResult, rejected?: true) => {
    const { text, size, truncated, output } = resultText(result);
    const durationMs = Math.max(0, host.now() - startedAt);
    const mark = rejected ? { rejected } : {};
    log.emit({
      type: "tool-call-end",
      ...place,
      ok: result.ok,
      output,
      text,
      size,
      truncated,
      durationMs,
      ...mark,
      untrusted: context.untrusted,
    });
  };
  const refuse = (message: string, rejected?: true): AppAnswer => {
    end({ ok: false, error: { message, code: "tool_error" } }, rejected);
    return { ok: false, message };
  };

  if (opened.server !== server) {
    return refuse("The server or its credential was changed since this interface was shown. Ask again in the chat.");
  }
  const tool = opened.appTools.get(toolName);
  if (!tool) return refuse(`This server has no approved tool "${toolName.slice(0, 100)}" for interfaces.`);
  const check = boundedCheck(host, tool.parameters, () => signal);
  const checked = await check(input);
  if (!checked.ok) return refuse(`Invalid arguments. ${checked.reason}`);
  const decision = await approve(tool, input, place, context);
  if (!decision.approved) {
    const said = decision.reason.trim();
    return refuse(`A person refused this call.${said === "" ? "" : ` ${said}`}`, true);
  }
  const edited = await check(decision.input);
  if (!edited.ok) return refuse(`Invalid arguments after editing. ${edited.reason}`);
  const writes = tool.afterCrash?.(decision.input) !== undefined;
  const begin = writes ? () => log.emit({ type: "write-start", nodeId, callId: place.callId, toolName }) : undefined;
  await storedFirst(host, begin);
  signal.throwIfAborted();

  let output: JsonObject | undefined;
  const result = await opened.execute(tool, decision.input, signal, (answer) => (output = answer));
  end(result);
  if (output !== undefined) return { ok: true, output };
  return { ok: false, message: result.ok ? "The tool gave no result." : result.error.message };
}

/** Asks a person, whatever was approved before: what an interface does is not what an agent does. */
async function approve(tool: Tool, input: JsonObject, place: Place, context: CallContext): Promise<ApprovalDecision> {
  if ((tool.approval ?? "never") === "never") return { approved: true, input };
  const { host, log, signal, untrusted } = context;
  log.emit({ type: "approval-wait", ...place, input, untrusted });
  const decision = await host.approve({ ...place, input, parameters: tool.parameters, untrusted }, signal);
  if (decision.approved) log.emit({ type: "approval-end", ...place, approved: true, input: decision.input });
  else {
    const { reason, unasked } = decision;
    log.emit({ type: "approval-end", ...place, approved: false, input, reason, ...(unasked ? { unasked } : {}) });
  }
  return decision;
}
