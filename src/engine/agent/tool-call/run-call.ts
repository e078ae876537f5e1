import { createWaitClock, type WaitClock } from "../../time/wait-clock.ts";
import { noTaint, untrustedField } from "../../trust/taint.ts";
import type { Execution } from "../execution.ts";
import { type Execute, intercepted } from "../interceptor.ts";
import { approveCall } from "./approvals.ts";
import { createFormAsker } from "./ask-form.ts";
import { parseArguments, shownInput } from "./tool-call.ts";
import { createCallExecutor } from "./execute-tool.ts";
import { createRepetitionWatch, finishedCall, type FinishedCall } from "./finish-call.ts";
import { checkEdited, holdCall, recordUse, retryCall, storeFirst } from "./interceptors.ts";
import { recordProvidedResult, serveRecorded } from "./replay-call.ts";
import { resultText } from "./result-text.ts";
import { type AskedCall, refusedCall, type ToolUse } from "./tool-call.ts";
import { createProgressTeller } from "./tool-progress.ts";
import { type ToolTable, unknownToolReason } from "./tool-table.ts";

const defaultResultChars = 20_000;

/** A call that the log knows of. */
interface StartedCall extends AskedCall {
  /** What its events have in common. */
  place: { nodeId: string; toolNodeId: string; edgeId: string; callId: string; toolName: string };
  /** Its arguments as text. */
  text: string;
  startedAt: number;
  clock: WaitClock;
}

/**
 * Makes what runs the calls of one agent execution: prepare, execute, finalize. Approvals and repeated calls are remembered
 * from call to call. Whatever goes wrong becomes a result for the model; rejects only when the deadline aborts.
 */
export function createCallRunner(execution: Execution, table: ToolTable): Execute<AskedCall, FinishedCall> {
  const { run, progress } = execution;
  const { host, nodeId } = run;
  const { callIds } = run.scope;
  const watchRepetition = createRepetitionWatch(run.settings.repeatedCallLimit);
  const makeCall = intercepted(createCallExecutor(execution), [
    holdCall(execution),
    approveCall(execution),
    checkEdited,
    storeFirst(execution),
    recordUse(execution),
    retryCall(execution),
  ]);

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

  async function execute({ entry, refusal, live, text, place, clock }: StartedCall): Promise<ToolUse> {
    const { callId, toolName } = place;
    if (live?.result) return { input: shownInput(text), result: recordProvidedResult(progress, entry, live.result) };
    if (!entry || refusal !== undefined)
      return { input: shownInput(text), result: refusedCall(refusal ?? unknownToolReason(table, toolName)) };
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
    const shown = resultText(result, entry?.tool.maxResultChars ?? defaultResultChars);
    // The time that a person takes to decide is not the tool's.
    const durationMs = Math.max(0, host.now() - startedAt - clock.waitedMs());
    const repeated = watchRepetition(part.toolName, input, shown.text);
    const notes = [note, repeated.kind === "told" ? repeated.note : undefined].filter((each) => each !== undefined);
    const text = [shown.text, ...notes].join("\n");
    const { size, truncated, output } = shown;
    const { ok } = result;
    const mark = rejected ? { rejected } : {};
    const taint = untrustedField(result.untrusted ?? noTaint);
    run.emit({ type: "tool-call-end", ...place, ok, output, text, size, truncated, durationMs, ...mark, ...taint });
    return finishedCall(run, part, {
      arguments: input,
      result: output,
      ok,
      ...mark,
      startedAt,
      durationMs,
      text,
      untrusted: taint.untrusted !== undefined,
      truncated,
      loop: repeated.kind === "loop",
    });
  }

  return intercepted(
    async (asked) => {
      const call = prepare(asked);
      return finalize(call, await execute(call));
    },
    [serveRecorded(execution, watchRepetition)],
  );
}
