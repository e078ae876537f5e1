import type { Json } from "../json.ts";
import type { ToolCallPart, ToolMessage } from "../model/message.ts";
import type { AgentRun } from "./agent-run.ts";
import { createApprover, pausedWhile } from "./approvals.ts";
import type { ModelAnswer } from "./call-model.ts";
import type { Deadline } from "./deadline.ts";
import { createCallHolder } from "./hold-call.ts";
import { executeTool } from "./execute-tool.ts";
import { countUsage, type Progress } from "./progress.ts";
import { createRepetitionWatch } from "./repeated-calls.ts";
import { resultText } from "./result-text.ts";
import { type FinishedCall, serveTool } from "./serve-tool.ts";
import { parseArguments } from "./tool-arguments.ts";
import { type TableEntry, type ToolTable, unknownToolReason } from "./tool-table.ts";
import type { ToolResult } from "./tool.ts";

const defaultResultChars = 20_000;
/** More calls than this in one turn are not run; the model is told. */
const maxCallsPerTurn = 100;

/** The results of one turn in call order, and whether the model is going round in circles. */
interface ToolTurn {
  messages: ToolMessage[];
  loop: boolean;
}

/** Runs all calls of one turn. Rejects only when the deadline aborts. */
export type ToolCaller = (calls: readonly ToolCallPart[], repeatedIds: ModelAnswer["repeatedIds"]) => Promise<ToolTurn>;

function refused(message: string): ToolResult {
  return { ok: false, error: { message, code: "invalid_arguments" } };
}

/** Makes the tool caller of one agent execution; approvals and repetitions are remembered across its turns. */
export function createToolCaller(run: AgentRun, deadline: Deadline, progress: Progress, table: ToolTable): ToolCaller {
  const { host, nodeId, settings, callIds } = run;
  const approve = createApprover(run, deadline, progress);
  const repetition = createRepetitionWatch(settings.repeatedCallLimit);
  const held = createCallHolder(run, deadline);

  async function execute(
    entry: TableEntry,
    callId: string,
    text: string,
  ): Promise<{ input: Json; result: ToolResult }> {
    const parsed = parseArguments(text, entry.check);
    if (!parsed.ok) return { input: parsed.input, result: refused(`Invalid arguments. ${parsed.reason}`) };
    progress.hasCalledTool = true;
    const wanted = run.pauser ? await held.tool(entry, callId, parsed.input) : parsed.input;
    const approval = await approve(entry, callId, wanted);
    if (approval.outcome === "failed") return { input: parsed.input, result: { ok: false, error: approval.error } };
    if (approval.outcome === "rejected") {
      const reason = approval.reason.trim() === "" ? "" : ` Reason: ${approval.reason}`;
      const message = `A person rejected this call; it was not made.${reason}`;
      return { input: parsed.input, result: { ok: false, error: { message, code: "tool_error" } } };
    }
    const { input } = approval;
    const edited = input === parsed.input ? { ok: true as const } : entry.check(input);
    if (!edited.ok) return { input, result: refused(`Invalid arguments after editing. ${edited.reason}`) };

    const { tool } = entry;
    progress.toolsUsed.add(tool.name);
    const result = await executeTool(host, tool, input, deadline.signal, (limit) => ({
      get signal() {
        return limit.signal;
      },
      callId,
      depth: run.depth + 1,
      pausedWhile: (wait) => pausedWhile(run, deadline, () => limit.pausedWhile(wait)),
      addUsage(usage, costUsd) {
        countUsage(progress, usage, costUsd);
        run.addUsage?.(usage, costUsd);
      },
      log(message, data) {
        run.emit({
          type: "log",
          nodeId: entry.nodeId,
          level: "info",
          message,
          ...(data === undefined ? {} : { data }),
        });
      },
    }));
    // A refusal may quote what the other side said just as well.
    if (entry.untrusted) progress.untrusted = true;
    return { input, result };
  }

  /** A result that a person gave counts as the tool's: it was used, and what was changed in it may be a stranger's text. */
  function takeGiven(entry: TableEntry | undefined, text: string, given: { ok: boolean; output: Json }) {
    if (entry) {
      progress.hasCalledTool = true;
      progress.toolsUsed.add(entry.tool.name);
      if (entry.untrusted) progress.untrusted = true;
    }
    return { input: shownInput(text), result: givenResult(given) };
  }

  async function callOne(
    part: ToolCallPart,
    note: string | undefined,
    refusal: string | undefined,
  ): Promise<FinishedCall> {
    const { toolName } = part;
    const entry = table.entries.get(toolName);
    const replayed = run.replay?.tool({ callId: part.callId, toolName, input: shownInput(part.arguments) });
    if (replayed?.kind === "served") {
      const served = await serveTool(run, progress, { part, entry, call: replayed.call });
      repetition(toolName, served.record.arguments, served.message.text);
      return served;
    }
    const text = replayed?.input === undefined ? part.arguments : JSON.stringify(replayed.input);
    const callId = callIds.has(part.callId) ? host.newId() : part.callId;
    callIds.add(callId);
    const call = { nodeId, toolNodeId: entry?.nodeId ?? nodeId, edgeId: entry?.edgeId ?? "", callId, toolName };
    const startedAt = host.now();
    run.emit({ type: "tool-call-start", ...call, input: shownInput(text) });
    const { input, result } = replayed?.result
      ? takeGiven(entry, text, replayed.result)
      : entry && refusal === undefined
        ? await execute(entry, callId, text)
        : { input: shownInput(text), result: refused(refusal ?? unknownToolReason(table, toolName)) };
    const shown = resultText(result, entry?.tool.maxResultChars ?? defaultResultChars);
    const durationMs = host.now() - startedAt;
    const repeated = repetition(toolName, input, shown.text);
    const notes = [note, repeated.kind === "told" ? repeated.note : undefined].filter((each) => each !== undefined);
    const read = [shown.text, ...notes].join("\n");
    const { size, truncated, output } = shown;
    run.emit({ type: "tool-call-end", ...call, ok: result.ok, output, text: read, size, truncated, durationMs });
    const message: ToolMessage = { role: "tool", callId: part.callId, toolName, ok: result.ok, text: read };
    const record = { toolName, arguments: input, result: output, startedAt, durationMs };
    return { message, record, loop: repeated.kind === "loop" };
  }

  return async (parts, repeatedIds) => {
    const seen = new Set<string>();
    const calls = parts.map((part, index) => {
      const body = `${part.toolName}\n${part.arguments}`;
      const oldId = repeatedIds.get(part.callId);
      const double = oldId !== undefined && seen.has(body);
      seen.add(body);
      const refusal =
        settings.toolChoice === "none"
          ? "Tools are turned off for this agent. Answer without calling any."
          : index >= maxCallsPerTurn
            ? `Only ${maxCallsPerTurn} calls are run per turn; this one was not. Make fewer calls at once.`
            : double
              ? `The call id "${oldId}" was used twice for the same call, which was run only once.`
              : undefined;
      const note =
        oldId !== undefined && !double ? `[The call id "${oldId}" was used twice; each call was run.]` : undefined;
      return { part, refusal, note };
    });

    const finished: FinishedCall[] = [];
    let next = 0;
    async function worker(): Promise<void> {
      for (let index = next++; index < calls.length; index = next++) {
        deadline.signal.throwIfAborted();
        const call = calls[index];
        if (call) finished[index] = await callOne(call.part, call.note, call.refusal);
      }
    }
    const workers = Array.from({ length: Math.min(settings.toolConcurrency, calls.length) }, worker);
    for (const settled of await Promise.allSettled(workers)) if (settled.status === "rejected") throw settled.reason;
    deadline.signal.throwIfAborted();

    for (const { record } of finished) {
      progress.toolCalls.push(record);
      progress.steps.push({ kind: "tool", round: progress.round, iteration: progress.iteration, ...record });
    }
    return { messages: finished.map(({ message }) => message), loop: finished.some(({ loop }) => loop) };
  };
}

/** A result that a person gave in the place of the tool's. */
function givenResult({ ok, output }: { ok: boolean; output: Json }): ToolResult {
  if (ok) return { ok, output };
  const message = typeof output === "string" ? output : JSON.stringify(output);
  return { ok, error: { message, code: "tool_error" } };
}

/** The arguments as the log shows them: parsed where they are JSON, else their text. */
function shownInput(text: string): Json {
  if (text.trim() === "") return {};
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch {
    return text;
  }
}
