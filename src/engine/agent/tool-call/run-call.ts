import { createWaitClock, type WaitClock } from "../../time/wait-clock.ts";
import { noTaint, untrustedField } from "../../trust/taint.ts";
import type { Execution } from "../execution.ts";
import { type Execute, intercepted } from "../interceptor.ts";
import { createFormAsker } from "./ask-form.ts";
import { createCallExecutor, createProgressTeller } from "./execute-tool.ts";
import { aroundCall } from "./interceptors.ts";
import { recordProvidedResult, serveRecorded } from "./replay-call.ts";
import { type AskedCall, parseArguments, refusedCall, shownInput, type ToolUse } from "./tool-call.ts";
import { countRepetition, finishedCall, type FinishedCall, resultText } from "./tool-result.ts";

/** A call that the log knows of. */
type StartedCall = AskedCall & {
  /** What its events have in common. */
  place: { nodeId: string; toolNodeId: string; edgeId: string; callId: string; toolName: string };
  /** Its arguments as text. */
  text: string;
  startedAt: number;
  clock: WaitClock;
};

/**
 * Makes what runs one call: prepare, execute, finalize. Whatever goes wrong becomes a result for the model; rejects only when
 * the deadline aborts.
 */
export function createCallRunner(execution: Execution): Execute<AskedCall, FinishedCall> {
  const { run, progress } = execution;
  const { host, nodeId } = run;
  const { callIds } = run.scope;
  const makeCall = intercepted(createCallExecutor(execution), aroundCall(execution));

  function prepare(asked: AskedCall): StartedCall {
    const { part, entry, live } = asked;
    const text = live?.input === undefined ? part.arguments : JSON.stringify(live.input);
    const callId = live?.again?.callId ?? (callIds.has(part.callId) ? host.newId() : part.callId);
    callIds.add(callId);
    const toolNodeId = entry?.nodeId ?? nodeId;
    const place = { nodeId, toolNodeId, edgeId: entry?.edgeId ?? "", callId, toolName: part.toolName };
    const startedAt = host.now();
    run.emit({ type: "tool-call-start", ...place, input: shownInput(text) });
    return { ...asked, place, text, startedAt, clock: createWaitClock(() => host.now()) };
  }

  async function execute({ entry, refusal, live, text, place: { callId }, clock }: StartedCall): Promise<ToolUse> {
    if (live?.result) return { input: shownInput(text), result: recordProvidedResult(execution, entry, live.result) };
    if (refusal !== undefined) return { input: shownInput(text), result: refusedCall(refusal) };
    const parsed = await parseArguments(text, entry.check);
    if (!parsed.ok) return { input: parsed.input, result: refusedCall(`Invalid arguments. ${parsed.reason}`) };
    progress.hasCalledTool = true;
    return makeCall({
      entry,
      callId,
      input: parsed.input,
      written: parsed.input,
      clock,
      again: live?.again,
      askForm: createFormAsker(run, entry, callId),
      tellProgress: createProgressTeller(run, entry, callId),
    });
  }

  function finalize(call: StartedCall, { input, result, rejected }: ToolUse): FinishedCall {
    const { part, entry, note, place, startedAt, clock } = call;
    const shown = resultText(result, entry?.tool.maxResultChars);
    // The time that a person takes to decide is not the tool's.
    const durationMs = Math.max(0, host.now() - startedAt - clock.waitedMs());
    const repetition = countRepetition(execution, part.toolName, input, shown.text);
    const text = [shown.text, note, repetition.note].filter((each) => each !== undefined).join("\n");
    const { size, truncated, output } = shown;
    const { ok } = result;
    const mark = rejected ? { rejected } : {};
    const taint = untrustedField(result.untrusted ?? noTaint);
    run.emit({ type: "tool-call-end", ...place, ok, output, text, size, truncated, durationMs, ...mark, ...taint });
    return finishedCall(execution, part, {
      arguments: input,
      result: output,
      ok,
      ...mark,
      startedAt,
      durationMs,
      text,
      untrusted: taint.untrusted !== undefined,
      truncated,
      loop: repetition.loop,
    });
  }

  return intercepted(
    async (asked) => {
      const call = prepare(asked);
      return finalize(call, await execute(call));
    },
    [serveRecorded(execution)],
  );
}
