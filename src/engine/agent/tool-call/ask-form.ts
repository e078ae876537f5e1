import type { ApprovalDecision } from "../../host.ts";
import { boundedCheck } from "../../json-schema/bounded-check.ts";
import { isJsonObject, type JsonObject, type JsonSchema } from "../../json.ts";
import { settleOrAbort } from "../../time/deadline.ts";
import { onAbort } from "../../time/on-abort.ts";
import type { AskedForm, FormAnswer } from "../../tool/tool.ts";
import type { AgentRun } from "../execution.ts";
import type { FormAsker, TableEntry } from "./tool-call.ts";

/** For how long a form may be answered: a call holds a connection open meanwhile, and a quiet one is closed after five minutes. */
export const formTimeMs = 270_000;

/** Characters; a form that is larger is declined. */
const longestMessage = 10_000;
const longestSchema = 100_000;

/** What a form begins with: the values that its schema names itself. */
export function formDefaults(schema: JsonSchema): JsonObject {
  const properties = isJsonObject(schema["properties"]) ? schema["properties"] : {};
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, property]) => {
      const initial = isJsonObject(property) ? property["default"] : undefined;
      return initial === undefined ? [] : [[name, initial]];
    }),
  );
}

/**
 * Makes what asks the forms of one call, by the same road as approvals. A question's id follows from the call and its key, so
 * that a call that is made again after a crash finds the answer that was given.
 */
export function createFormAsker(run: AgentRun, entry: TableEntry, callId: string): FormAsker {
  const { host, nodeId } = run;
  const { tool, nodeId: toolNodeId, edgeId } = entry;
  const asked = new Map<string, number>();

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
    const id = questionId(key);
    const call = { nodeId, toolNodeId, edgeId, callId: id };
    run.emitWithin(callId, { type: "form-wait", ...call, toolName: tool.name, form });
    const over = new AbortController();
    const end = () => over.abort(new Error("The question is no longer asked."));
    const unwatch = [ofCall, signal].map((each) => onAbort(each, end));
    void host.sleep(formTimeMs, over.signal).then(end, () => undefined);
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
