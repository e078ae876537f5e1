import type { ApprovalDecision } from "../../host.ts";
import { boundedCheck } from "../../json-schema/bounded-check.ts";
import { settleOrAbort } from "../../time/deadline.ts";
import { onAbort } from "../../time/on-abort.ts";
import { executeTool } from "../../tool/execute-tool.ts";
import { type AskedForm, type FormAnswer, formDefaults, formTimeMs, type ToolCallContext } from "../../tool/tool.ts";
import type { AgentRun, Execution } from "../execution.ts";
import type { FormAsker, MakeCall, TableEntry } from "./tool-call.ts";

/** Characters; a form that is larger is declined. */
const longestMessage = 10_000;
const longestSchema = 100_000;
/** Forms of one call. A person has other things to do, and the inbox is for others too. */
const mostForms = 20;

/** Milliseconds between two pieces of news of one call. */
const leastApart = 500;
/** A call tells no more than this, so that a log stays readable. */
const mostPerCall = 200;
const longestText = 300;

/** Makes what calls a tool, within its time limit, and gives it what a tool may use of the agent. */
export function createCallExecutor(execution: Execution): MakeCall {
  const { run, deadline, progress } = execution;
  return async ({ entry, callId, input, clock, askForm, tellProgress }) => {
    const { tool, nodeId } = entry;
    const result = await executeTool(run.host, tool, input, deadline.signal, (limit) => {
      const whileAsking = <Value>(wait: () => Promise<Value>) =>
        clock.during(() => execution.pausedWhile(() => limit.pausedWhile(wait)));
      return {
        get signal() {
          return limit.signal;
        },
        callId,
        depth: run.depth + 1,
        untrusted: progress.untrusted,
        provenance: progress.provenance,
        pausedWhile: whileAsking,
        addUsage: execution.addUsage,
        spending: run.spending ?? [],
        log(message, data) {
          run.emit({ type: "log", nodeId, level: "info", message, ...(data === undefined ? {} : { data }) });
        },
        ask: (form, options) => whileAsking(() => askForm(form, limit.signal, options)),
        tellProgress,
        ...(run.host.showsApps && { showApp: appTeller(run, entry, callId) }),
      };
    });
    return { input, result };
  };
}

function appTeller(
  run: AgentRun,
  { nodeId: toolNodeId, edgeId }: TableEntry,
  callId: string,
): NonNullable<ToolCallContext["showApp"]> {
  return async (output, read) => {
    const app = await read();
    if (app === undefined) return;
    const { loggedApps } = run.scope;
    const { html: _logged, ...known } = app;
    const shown = loggedApps.has(app.sha256) ? known : app;
    loggedApps.add(app.sha256);
    run.emit({ type: "tool-app", nodeId: run.nodeId, toolNodeId, edgeId, callId, app: shown, output });
  };
}

/** Makes what tells the progress of one call, now and then: each piece of news replaces the one before. */
export function createProgressTeller(
  run: AgentRun,
  { nodeId: toolNodeId, edgeId }: TableEntry,
  callId: string,
): ToolCallContext["tellProgress"] {
  let told = 0;
  let last = -Infinity;
  return ({ progress, total, text = "" }) => {
    const now = run.host.now();
    if (told >= mostPerCall || now - last < leastApart || !Number.isFinite(progress)) return;
    told += 1;
    last = now;
    run.emit({
      type: "tool-progress",
      nodeId: run.nodeId,
      toolNodeId,
      edgeId,
      callId,
      progress,
      ...(total !== undefined && Number.isFinite(total) && total > 0 ? { total } : {}),
      ...(text === "" ? {} : { text: text.slice(0, longestText) }),
    });
  };
}

/**
 * Makes what asks the forms of one call, by the same road as approvals. A question's id follows from the call and its key, so
 * that a call that is made again after a crash finds the answer that was given.
 */
export function createFormAsker(run: AgentRun, entry: TableEntry, callId: string): FormAsker {
  const { host, nodeId } = run;
  const { tool, nodeId: toolNodeId, edgeId } = entry;
  const asked = new Map<string, number>();
  let forms = 0;

  function questionId(key: string): string {
    const count = (asked.get(key) ?? 0) + 1;
    asked.set(key, count);
    return `${callId}/form-${key}-${count}`;
  }

  const warn = (message: string, hint: string) => run.emit({ type: "warning", nodeId: toolNodeId, message, hint });

  async function decide(form: AskedForm, id: string, signal: AbortSignal): Promise<ApprovalDecision | undefined> {
    const { name: toolName } = tool;
    const request = {
      nodeId,
      toolNodeId,
      toolName,
      callId: id,
      input: formDefaults(form.schema),
      parameters: form.schema,
      form,
    };
    const settled = await settleOrAbort(
      Promise.resolve().then(() => host.approve(request, signal)),
      signal,
    );
    return settled.kind === "done" ? settled.value : undefined;
  }

  async function answerOf(decision: ApprovalDecision | undefined, form: AskedForm): Promise<FormAnswer> {
    if (decision === undefined) return { action: "cancel" };
    if (!decision.approved) return { action: "decline" };
    const checked = await boundedCheck(host, form.schema, () => run.signal)(decision.input).catch(() => undefined);
    if (checked?.ok) return { action: "accept", content: decision.input };
    warn(
      `The answer does not match the form that ${tool.name} sent. ${checked?.reason ?? ""}`.trim(),
      "It was not sent.",
    );
    return { action: "cancel" };
  }

  return async (form, ofCall, { key, signal }) => {
    if (form.message.length > longestMessage || JSON.stringify(form.schema).length > longestSchema) {
      warn(`${tool.name} sent a form that is too large.`, "It was declined.");
      return { action: "decline" };
    }
    forms += 1;
    if (forms > mostForms) {
      if (forms === mostForms + 1) warn(`${tool.name} sent more than ${mostForms} forms.`, "The rest were declined.");
      return { action: "decline" };
    }
    const id = questionId(key);
    const call = { nodeId, toolNodeId, edgeId, callId: id };
    run.emitWithin(callId, { type: "form-wait", ...call, toolName: tool.name, form });
    const over = new AbortController();
    const end = () => over.abort(new Error("The question is no longer asked."));
    const unwatch = [ofCall, signal].map((each) => onAbort(each, end));
    if (form.confirms !== true) void host.sleep(formTimeMs, over.signal).then(end, () => undefined);
    const decision = await decide(form, id, over.signal);
    const answer = await answerOf(decision, form);
    for (const stop of unwatch) stop();
    end();
    run.emitWithin(callId, {
      type: "form-end",
      ...call,
      action: answer.action,
      ...(answer.action === "accept" ? { input: answer.content } : {}),
      ...(decision?.approved === false && decision.unasked ? { unasked: true } : {}),
    });
    return answer;
  };
}
