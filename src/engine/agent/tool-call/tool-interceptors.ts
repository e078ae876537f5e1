import type { ApprovalDecision } from "../../host.ts";
import { isJsonObject, type Json, type JsonObject } from "../../json.ts";
import { type Repeats, RunError } from "../../errors.ts";
import type { RunEventBody } from "../../run/events.ts";
import { storedFirst } from "../../run/stored-first.ts";
import { retryDelay } from "../../time/backoff.ts";
import { settleOrAbort } from "../../time/deadline.ts";
import { previewTool } from "../../tool/execute-tool.ts";
import { holdsPictures, loggedOutput, fullText } from "../../tool/tool-result.ts";
import type { ApprovalPolicy, ToolResult } from "../../tool/tool.ts";
import { type UnsaidValue, unsaidField } from "../../trust/provenance/unsaid-value.ts";
import { noTaint, untrustedField } from "../../trust/taint.ts";
import type { AgentRun, Execution } from "../execution.ts";
import { allowable, judgeCall, rememberEdit, rememberResult, spoilBefore, verdictFields } from "./call-origins.ts";
import {
  type MakeCall,
  refusedCall,
  type TableEntry,
  taintOf,
  type ToolCall,
  type ToolInterceptor,
  type ToolUse,
} from "./tool-call.ts";

/** What stands around the making of a call in one agent execution, the first one outermost. */
export function aroundCall(execution: Execution): (ToolInterceptor | undefined)[] {
  return [
    holdCall(execution),
    approveCall(execution),
    checkInterrupted(execution),
    checkEdited,
    storeFirst(execution),
    keepLarge(execution),
    recordUse(execution),
    retryCall(execution),
  ];
}

/** Pauses the call at a breakpoint, where a person may edit its arguments. */
function holdCall(execution: Execution): ToolInterceptor {
  const { hold } = execution;
  return (call, next) => {
    const { entry, callId, input, clock } = call;
    const { tool, nodeId: atNodeId } = entry;
    const held = hold({ kind: "tool-call", atNodeId, callId, toolName: tool.name, input: () => input });
    if (!held) return next(call);
    return clock
      .during(() => held)
      .then((edited) => next(isJsonObject(edited) ? editedBy(execution, call, edited) : call));
  };
}

/** The call with the arguments of a person, whose words they are from now on. */
function editedBy(execution: Execution, call: ToolCall, input: JsonObject): ToolCall {
  rememberEdit(execution, call.input, input);
  return { ...call, input, verdict: call.verdict && judgeCall(execution, call.entry, input) };
}

/** Asks a person whether a call is made, or, where it had begun `again` times, made once more. */
type AskPerson = (call: ToolCall, again?: number) => Promise<Approval>;

/** Makes what asks, with a preview if the tool has one. Stopping the run counts as a refusal. */
function createAsker(execution: Execution): AskPerson {
  const { run, deadline, progress, pausedWhile } = execution;
  const previewOf = ({ tool }: TableEntry, input: JsonObject) => previewTool(run.host, tool, input, deadline.signal);

  /** The preview of arguments that a person edited; those that do not fit the tool are a failure. */
  async function previewEdited(entry: TableEntry, input: JsonObject): Promise<ToolResult> {
    const stoppedCheck = { ok: false as const, reason: "The check was stopped." };
    const checked = await entry.check(input).catch(() => stoppedCheck);
    if (!checked.ok) return { ok: false, error: { message: checked.reason, code: "invalid_arguments" } };
    return (await previewOf(entry, input)) ?? { ok: true, output: null };
  }

  return async (call, again) => {
    const { entry, callId, input, clock } = call;
    const { tool, nodeId: toolNodeId, edgeId } = entry;
    const result = await previewOf(entry, input);
    // The call would fail anyway, so nobody is asked.
    if (result?.ok === false) return { instead: { input: call.written, result: { ok: false, error: result.error } } };
    const preview: { preview?: Json } = result ? { preview: loggedOutput(result) } : {};
    const mark = again === undefined ? {} : { again };
    // What was answered when the call was new is no answer to this: it is a question of its own, within the call.
    const questionId = again === undefined ? callId : `${callId}/again-${again}`;
    const place = { nodeId: run.nodeId, toolNodeId, edgeId, callId: questionId, ...mark };
    const tell = (event: RunEventBody) => (again === undefined ? run.emit(event) : run.emitWithin(callId, event));
    const { unsaid } = verdictFields(execution, call.verdict);
    const because = { ...untrustedField(progress.untrusted), ...unsaidField(unsaid) };
    const isByOrigin = again === undefined && policyOf(entry) === "ask-after-untrusted";
    const always = isByOrigin ? allowable(entry, run, call.verdict) : undefined;
    const remedy = isByOrigin && unsaid !== undefined && tool.readOnly !== true ? tool.remedy : undefined;
    tell({ type: "approval-wait", ...place, toolName: tool.name, input, ...preview, ...because });
    const question = {
      nodeId: run.nodeId,
      toolNodeId,
      toolName: tool.name,
      callId: questionId,
      input,
      parameters: tool.parameters,
      ...mark,
      ...preview,
      ...because,
      ...(remedy === undefined ? {} : { remedy }),
      ...(always ? { allowable: always } : {}),
      ...(result ? { previewOf: (edited: JsonObject) => previewEdited(entry, edited) } : {}),
    };
    const settled = await clock.during(() =>
      pausedWhile(() =>
        settleOrAbort(
          Promise.resolve().then(() => run.host.approve(question, deadline.signal)),
          deadline.signal,
        ),
      ),
    );
    const decision: ApprovalDecision =
      settled.kind === "done"
        ? settled.value
        : { approved: false, reason: settled.kind === "aborted" ? stopped : notAsked, unasked: true };
    if (decision.approved) {
      const approved = again === undefined ? decision.input : input;
      tell({ type: "approval-end", ...place, approved: true, input: approved });
      return { input: approved };
    }
    const { reason, unasked } = decision;
    tell({ type: "approval-end", ...place, approved: false, input, reason, ...(unasked ? { unasked } : {}) });
    return again === undefined ? rejected(execution, call, decision) : { instead: notRepeated(run, call, decision) };
  };
}

/** Asks a person for approval if the tool's policy requires it. */
function approveCall(execution: Execution): ToolInterceptor {
  const { run } = execution;
  const { approvedTools, pendingApprovals } = run.scope;
  const ask = createAsker(execution);

  /** For the first call of a tool in a run; the others wait for the answer to it. */
  async function askOnce(call: ToolCall): Promise<Approval> {
    const key = onceKey(call.entry);
    if (approvedTools.has(key)) return { input: call.input };
    const approval = await ask(call);
    if (approval.input) approvedTools.add(key);
    return approval;
  }

  async function decide(call: ToolCall): Promise<Approval> {
    const { entry, input, clock, again } = call;
    if (again?.decision) {
      const { decision } = again;
      if (!decision.approved) return rejected(execution, call, decision);
      rememberApproved(run, entry);
      return { input: decision.input };
    }
    const policy = policyOf(entry);
    switch (policy) {
      case "never":
        return { input };
      case "ask":
        return ask(call);
      case "ask-after-untrusted":
        return call.verdict?.asks === true ? ask(call) : { input };
      case "once": {
        // Calls of one turn run side by side: the second waits for the answer to the first.
        const key = onceKey(entry);
        const before = pendingApprovals.get(key) ?? Promise.resolve();
        const answer = clock.during(() => before).then(() => askOnce(call));
        pendingApprovals.set(key, answer);
        return answer;
      }
      default:
        return policy satisfies never;
    }
  }

  async function makeIfApproved(call: ToolCall, next: MakeCall): Promise<ToolUse> {
    const { input, instead } = await decide(call);
    if (instead) return instead;
    return next(input === call.input ? call : editedBy(execution, call, input));
  }

  return (call, next) => {
    const isFree = policyOf(call.entry) === "never" && !call.again?.decision;
    return isFree ? next(call) : makeIfApproved(call, next);
  };
}

/** Goes by the tool's setting where the call may have been made before a crash. */
function checkInterrupted(execution: Execution): ToolInterceptor {
  const ask = createAsker(execution);
  async function askAgain(call: ToolCall, next: MakeCall): Promise<ToolUse> {
    const { instead } = await ask(call, call.begun);
    // With other arguments it would be another call, under an `Idempotency-Key` that may have been used up.
    return instead ?? next(call);
  }
  return (call, next) => {
    const { begun, repeats } = call;
    const isOpen = begun > 0 && repeats !== "chosen";
    const setting = isOpen ? call.entry.tool.afterCrash?.(call.input) : undefined;
    const afterCrash = setting === "repeat" && repeats === "elsewhere" ? "ask" : setting;
    switch (afterCrash) {
      case undefined:
      case "repeat":
        return next(call);
      case "ask":
        return askAgain(call, next);
      case "fail":
        return Promise.resolve(notRepeated(execution.run, call));
      default:
        return afterCrash satisfies never;
    }
  };
}

/** A call that may have been made and is not made again, and why, for the model to read; the log is told where nobody decided. */
function notRepeated(
  run: AgentRun,
  { entry, input }: ToolCall,
  decision?: Extract<ApprovalDecision, { approved: false }>,
): ToolUse {
  const said = decision?.reason.trim() ?? "";
  const unasked = decision?.unasked === true;
  if (decision === undefined || unasked) {
    const message = `The run was interrupted during a call of ${entry.tool.name}, which may have been made. It is not made again.`;
    const hint = `Check whether it took effect. ${said}`.trim();
    run.emit({ type: "warning", nodeId: entry.nodeId, message, hint });
  }
  const why =
    decision === undefined
      ? "It was not made again."
      : unasked
        ? "It was not made again, since nobody could be asked."
        : `A person decided not to make it again.${said === "" ? "" : ` Reason: ${said}`}`;
  const message = `The run was interrupted during this call, so it may have been made; its result is not known. ${why}`;
  const hint = "Check whether it took effect before you make it again.";
  return { input, result: { ok: false, error: { message, hint, code: "tool_error" } } };
}

/** The input of a call that may be made, edited or not; or what came of it instead. */
type Approval = { input: JsonObject; instead?: never } | { input?: never; instead: ToolUse };

const stopped = "The run was stopped before anyone decided.";
const notAsked = "Approval could not be requested.";

/** A call that was not made, and why, for the model to read. */
function rejected(
  { progress }: Execution,
  call: ToolCall,
  { reason, unasked }: Extract<ApprovalDecision, { approved: false }>,
): Approval {
  if (unasked) progress.notMade.push(call.entry.tool.name);
  const unsaid = call.verdict?.asks === true ? progress.provenance.unsaid(call.verdict) : [];
  const message = unasked
    ? `The call needs a person's approval, so it was not made. ${reason} ${adviceFor(unsaid)}`.trim()
    : `A person rejected this call; it was not made.${reason.trim() === "" ? "" : ` Reason: ${reason}`}`;
  const result: ToolResult = { ok: false, error: { message, code: "tool_error" } };
  return { instead: { input: call.written, result, rejected: true } };
}

/** What a model can do where nobody approves values that the user did not give. */
function adviceFor(unsaid: readonly UnsaidValue[]): string {
  const named = unsaid.filter(({ path }) => path.length > 0).slice(0, 5);
  if (named.length === 0) return "";
  const list = (values: readonly UnsaidValue[]) =>
    values.map(({ path, value }) => `${path.join(".")} (${value})`).join(", ");
  const chosen = named.filter(({ origin }) => origin === "caller");
  const others = named.filter(({ origin }) => origin !== "caller");
  return [
    ...(chosen.length > 0 ? [`Whoever calls this workflow may not choose: ${list(chosen)}.`] : []),
    ...(others.length > 0 ? [`The user did not give: ${list(others)}.`] : []),
    "Make the call only with what the user's own request or your instructions name, or leave it out, go on with the rest, and say at the end what was not done.",
  ].join(" ");
}

/** When a tool asks. */
export function policyOf({ approval, tool }: TableEntry): ApprovalPolicy {
  return approval ?? tool.approval ?? "never";
}

function onceKey({ nodeId, tool }: TableEntry): string {
  return `${nodeId}/${tool.name}`;
}

/** Remembers for the rest of the run that a call of this tool was approved in an earlier attempt. */
export function rememberApproved(run: AgentRun, entry: TableEntry): void {
  if (entry.tool.approval === "once") run.scope.approvedTools.add(onceKey(entry));
}

/** Refuses arguments that a person edited into something that does not fit the tool. */
const checkEdited: ToolInterceptor = (call, next) => {
  const { entry, input, written } = call;
  if (input === written) return next(call);
  return entry.check(input).then((checked) => {
    if (checked.ok) return next(call);
    return { input, result: refusedCall(`Invalid arguments after editing. ${checked.reason}`) };
  });
};

/** Waits until the log is stored, so that a resumed run knows of the call whatever happens now. */
function storeFirst({ run, deadline }: Execution): ToolInterceptor {
  const { host, nodeId, emit } = run;
  return (call, next) => {
    const { callId, entry, input, begun } = call;
    const again = begun === 0 ? {} : { again: begun };
    const writes = entry.tool.afterCrash?.(input) !== undefined;
    const begin = writes
      ? () => emit({ type: "write-start", nodeId, callId, toolName: entry.tool.name, ...again })
      : undefined;
    const stored = storedFirst(host, begin);
    if (!stored) return next(call);
    return stored.then(() => {
      deadline.signal.throwIfAborted();
      return next(call);
    });
  };
}

/** Keeps a large result whole where the agent has a place for it; the model then reads what that says of it. */
function keepLarge({ run, deadline: { signal }, warn }: Execution): ToolInterceptor | undefined {
  const place = run.tools.find(({ value }) => value.keepLarge !== undefined);
  const large = place?.value.keepLarge;
  if (!place || !large) return undefined;
  // What the agent brings along itself, and what reads the kept results, is as it is.
  const exempt = new Set([run.nodeId, place.nodeId]);
  return async (call, next) => {
    const use = await next(call);
    const { result } = use;
    const { tool, nodeId } = call.entry;
    if (!result.ok || exempt.has(nodeId)) return use;
    const { output, text, untrusted = noTaint } = result;
    if (text === undefined && holdsPictures(output)) return use;
    if (fullText(result).length <= large.above) return use;
    try {
      const kept = { toolName: tool.name, output: text ?? output };
      const shown = await large.keep(kept, { callId: call.callId, signal, untrusted });
      return { ...use, result: { ...result, text: shown } };
    } catch (error) {
      signal.throwIfAborted();
      const why = error instanceof RunError ? `${error.data.message} ${error.data.hint}` : String(error);
      warn(
        `The result of ${tool.name} could not be kept as a file. ${why}`,
        "The model got the result itself, cut.",
        place.nodeId,
      );
      return use;
    }
  };
}

/** Notes that the tool was used, and where untrusted content in its result came from. */
function recordUse(execution: Execution): ToolInterceptor {
  const { progress, addTaint } = execution;
  return async (call, next) => {
    progress.toolsUsed.add(call.entry.tool.name);
    spoilBefore(execution, call.entry, call.verdict);
    const { result, ...use } = await next(call);
    // A failed result may quote the server, too.
    const untrusted = result.untrusted ?? taintOf(call.entry);
    addTaint(untrusted);
    rememberResult(execution, call.entry, call, result);
    return { ...use, result: { ...result, untrusted } };
  };
}

/** Retries calls that may be retried, after temporary failures. Each attempt has the tool's full time limit. */
function retryCall({ run, deadline: { signal }, waitToRetry }: Execution): ToolInterceptor {
  async function retry(call: ToolCall, next: MakeCall, { retries, delayMs: firstMs }: Repeats): Promise<ToolUse> {
    for (let attempt = 1; ; attempt += 1) {
      const use = await next(call);
      const { result } = use;
      if (result.ok || !result.error.retryable || attempt > retries || signal.aborted) return use;
      const { message, hint = "", code = "tool_error", retryAfterMs } = result.error;
      const error = { message, hint, code, retryable: true };
      const delayMs = retryDelay(run.host, attempt, { retryAfterMs }, firstMs);
      await waitToRetry(call.entry.nodeId, { attempt, maxAttempts: retries, delayMs, error });
    }
  }
  return (call, next) => {
    const { repeats } = call.entry.tool;
    return repeats ? retry(call, next, repeats) : next(call);
  };
}
