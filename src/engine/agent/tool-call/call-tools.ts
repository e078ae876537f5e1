import type { Wired } from "../../document/define-node.ts";
import { editDistance } from "../../edit-distance.ts";
import { boundedCheck } from "../../json-schema/bounded-check.ts";
import { isJsonObject, jsonOrText, type JsonSchema } from "../../json.ts";
import { picturesIn, taintOfFiles } from "../../model/attachments.ts";
import type { ToolDefinition } from "../../model/chat-model.ts";
import type { ToolCallPart, ToolMessage } from "../../model/message.ts";
import { fitArguments } from "../../tool/fit-arguments.ts";
import type { ToolSet } from "../../tool/tool.ts";
import { callerArguments } from "../../trust/caller-terms.ts";
import { type AgentEnding, loopEnding } from "../ending.ts";
import type { Execution, Handler, Interceptor } from "../execution.ts";
import type { ModelAnswer } from "../model-call/call-model.ts";
import type { AgentSettings } from "../agent-settings.ts";
import { createCallRunner } from "./run-call.ts";
import type { AskedCall, FinishedCall, TableEntry } from "./tool-call.ts";

/** More calls than this in one turn are not run; the model is told. */
const maxCallsPerTurn = 100;

/** The calls of one turn, and what planning needs to know of the answer that asks for them. */
interface AskedTurn {
  calls: readonly ToolCallPart[];
  answer: Pick<ModelAnswer, "repeatedIds" | "finishReason" | "rawFinishReason">;
}

/** The results of one turn in call order. */
interface ToolTurn {
  messages: ToolMessage[];
  /** The ids of calls whose results were cut for the model. */
  cut: ReadonlySet<string>;
  /** Why the agent ends with them; undefined while it goes on. */
  ending: AgentEnding | undefined;
}

/** Runs all calls of one turn. Rejects only when the deadline aborts. */
export type CallTools = Handler<AskedTurn, ToolTurn>;

/** Stands around the calls of one turn. */
export type ToolTurnInterceptor = Interceptor<AskedTurn, ToolTurn>;

/** The tools of one agent execution. */
interface ToolCaller {
  definitions: ToolDefinition[];
  callTools: CallTools;
}

/** Creates the tool caller of one agent execution, which remembers approvals and repeated calls across turns. */
export function createToolCaller(execution: Execution, sets: readonly Wired<ToolSet>[]): ToolCaller {
  const { run, deadline, progress } = execution;
  const { toolChoice, toolConcurrency, repeatedCallLimit } = run.settings;
  const table = buildToolTable(execution, sets);
  const runCall = createCallRunner(execution);

  async function callTools(turn: AskedTurn): Promise<ToolTurn> {
    const calls = planCalls(turn, table, toolChoice);
    const finished: FinishedCall[] = [];
    let next = 0;
    async function worker(): Promise<void> {
      for (let index = next++; index < calls.length; index = next++) {
        deadline.signal.throwIfAborted();
        const call = calls[index];
        if (call) finished[index] = await runCall(call);
      }
    }
    const workers = Array.from({ length: Math.min(toolConcurrency, calls.length) }, worker);
    const settled = await Promise.allSettled(workers);
    const toMessage = (call: FinishedCall) => toolMessage(call, execution);
    const failed = settled.find(({ status }) => status === "rejected");
    if (failed || deadline.signal.aborted) progress.finishedResults = finished.flatMap((call) => toMessage(call));
    if (failed?.status === "rejected") throw failed.reason;
    deadline.signal.throwIfAborted();

    for (const { callId, record } of finished) {
      progress.toolCalls.push(record);
      progress.results.set(callId, record.result);
      progress.steps.push({ kind: "tool", round: progress.round, iteration: progress.iteration, ...record });
    }
    const looped = finished.find(({ loop }) => loop)?.record.toolName;
    return {
      messages: finished.map(toMessage),
      cut: new Set(finished.filter(({ truncated }) => truncated).map(({ callId }) => callId)),
      ending: looped === undefined ? undefined : loopEnding(run.nodeId, looped, repeatedCallLimit * 2),
    };
  }
  return { definitions: table.definitions, callTools };
}

/**
 * The result of a call for the model, which is shown the pictures in it if it can see them, and given the files of the run in it.
 * Files are untrusted, whoever gives them.
 */
function toolMessage({ callId, record, text, untrusted }: FinishedCall, { run, addTaint }: Execution): ToolMessage {
  const { toolName, result, ok, rejected } = record;
  const images = run.model.value.capabilities.vision ? picturesIn(result) : [];
  const files = ok ? (run.runFiles?.findAll(result) ?? []) : [];
  addTaint(taintOfFiles(files));
  return {
    role: "tool",
    callId,
    toolName,
    ok,
    text,
    ...(images.length > 0 ? { images } : {}),
    ...(files.length > 0 ? { files } : {}),
    ...(rejected ? { rejected } : {}),
    ...(untrusted || files.length > 0 ? { untrusted: true } : {}),
  };
}

/** The tools of one agent by name, and their definitions for the model. */
interface ToolTable {
  entries: ReadonlyMap<string, TableEntry>;
  definitions: ToolDefinition[];
}

const validName = /^[A-Za-z0-9_-]{1,64}$/;

/** Collects all connected tools. A tool whose name is taken or not allowed is left out, with a warning. */
function buildToolTable({ run, deadline, warn }: Execution, sets: readonly Wired<ToolSet>[]): ToolTable {
  const entries = new Map<string, TableEntry>();
  for (const { value, nodeId, edgeId, untrusted = false, callers } of sets) {
    for (const tool of value.tools) {
      if (!validName.test(tool.name))
        warn(`The tool name "${tool.name}" is not allowed; the tool is left out.`, "Use 1–64 of A–Z a–z 0–9 _ -.");
      else if (entries.has(tool.name))
        warn(`Two tools are named "${tool.name}"; only the first is offered.`, "Give each tool its own name.");
      else {
        const check = boundedCheck(run.host, tool.parameters, () => deadline.signal);
        const isUntrusted = untrusted || tool.untrusted === true;
        const filled = callerArguments(tool, callers);
        entries.set(tool.name, { tool, nodeId, edgeId, untrusted: isUntrusted, callerArguments: filled, check });
      }
    }
  }
  const definitions = [...entries.values()].map(({ tool: { name, description, parameters } }) => ({
    name,
    description,
    parameters,
  }));
  return { entries, definitions };
}

/** So many names fit into the message for a model that called an unknown tool. */
const maxNamed = 40;

/** The message for a model that called an unknown tool. */
function unknownToolReason({ entries }: ToolTable, name: string): string {
  const names = [...entries.keys()];
  const asked = name.slice(0, 64);
  if (names.length === 0) return `There is no tool "${asked}"; no tools are available. Answer without tools.`;
  const nearest = names.reduce((best, each) => (editDistance(each, asked) < editDistance(best, asked) ? each : best));
  const guess = editDistance(nearest, asked) <= 3 ? ` Did you mean "${nearest}"?` : "";
  return `There is no tool "${asked}".${guess} Available tools: ${names.slice(0, maxNamed).join(", ")}${names.length > maxNamed ? ` and ${names.length - maxNamed} more` : ""}.`;
}

/** Which calls of one turn are run, in call order. None of an answer that broke off, as its arguments may not be whole. */
function planCalls(
  { calls, answer }: AskedTurn,
  table: ToolTable,
  toolChoice: AgentSettings["toolChoice"],
): AskedCall[] {
  const { repeatedIds, finishReason, rawFinishReason } = answer;
  const seen = new Set<string>();
  return calls.map((part, index) => {
    const body = `${part.toolName}\n${part.arguments}`;
    const oldId = repeatedIds.get(part.callId);
    const double = oldId !== undefined && seen.has(body);
    seen.add(body);
    const refusal =
      toolChoice === "none"
        ? "Tools are turned off for this agent. Answer without calling any."
        : index >= maxCallsPerTurn
          ? `Only ${maxCallsPerTurn} calls are run per turn; this one was not. Make fewer calls at once.`
          : finishReason === "other"
            ? `Your answer broke off (${rawFinishReason ?? "no reason given"}), so this call was not made. Make it again.`
            : finishReason === "length" && index === calls.length - 1 && isCut(part.arguments)
              ? "Your answer reached its token limit before the arguments of this call were complete, so it was not made. Make it again with shorter arguments, or do it in smaller steps."
              : double
                ? `The call id "${oldId}" was used twice for the same call, which was run only once.`
                : undefined;
    const note =
      oldId !== undefined && !double ? `[The call id "${oldId}" was used twice; each call was run.]` : undefined;
    const entry = table.entries.get(part.toolName);
    const text = entry ? fittedText(part.arguments, entry.tool.parameters) : part.arguments;
    if (entry && refusal === undefined) return { part, text, entry, refusal, note };
    return { part, text, entry, refusal: refusal ?? unknownToolReason(table, part.toolName), note };
  });
}

/** Arguments as text, in the types that the schema wants. */
function fittedText(text: string, schema: JsonSchema): string {
  const written = jsonOrText(text);
  const input = typeof written === "string" ? jsonOrText(written) : written;
  return isJsonObject(input) ? JSON.stringify(fitArguments(input, schema)) : text;
}

/** Whether arguments stop in the middle, or before they began. */
function isCut(text: string): boolean {
  try {
    JSON.parse(text);
    return false;
  } catch {
    return true;
  }
}
