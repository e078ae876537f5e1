import type { ToolUse, TrialView } from "../assertions/trial-view.ts";
import { isJsonObject, type Json } from "../../engine/json.ts";
import { type Message, messageText } from "../../engine/model/message.ts";
import { addCost, totalTokens } from "../../engine/model/usage.ts";
import { isOfTurn, isSpending, type EventOf, type RunEvent } from "../../engine/run/events.ts";
import type { EvaluationCase } from "../suite/evaluation-case.ts";

/** A finished run as assertions look at it. Costs and tokens count what was served from a recording, too. */
export function viewOfRun(
  { input, expected, metadata = {} }: Pick<EvaluationCase, "input" | "expected" | "metadata">,
  events: readonly RunEvent[],
  latencyMs: number,
): TrialView {
  const end = events.findLast((event) => event.type === "run-end");
  const output = end?.output ?? null;
  const answer = answerOf(output);
  const spent = events.filter(isSpending);
  return {
    input,
    expected,
    metadata,
    outcome: end?.outcome ?? "cancelled",
    error: end?.error,
    output,
    answer,
    text: answerText(output),
    turns: [],
    endings: endingsOf(events, end),
    tools: toolsOf(events),
    modelCalls: events.filter((event) => event.type === "model-request").length,
    costUsd: spent.reduce<number | null>((sum, { costUsd }) => addCost(sum, costUsd), 0),
    latencyMs,
    tokens: spent.reduce((sum, { usage }) => sum + (usage ? totalTokens(usage) : 0), 0),
    remembered: rememberedTexts(events),
  };
}

/** The agent's answer in a run's output, as text. */
export function answerText(output: Json): string {
  const answer = answerOf(output);
  return typeof answer === "string" ? answer : answer === null ? "" : JSON.stringify(answer);
}

/** An agent's output holds its answer under `response`. */
function answerOf(output: Json): Json {
  return isJsonObject(output) && output.response !== undefined ? output.response : output;
}

function endingsOf(events: readonly RunEvent[], end: EventOf<"run-end"> | undefined): string[] {
  const own = events.filter((event) => event.parentCallId === undefined);
  const agent = own.findLast((event) => event.type === "iteration-end" && event.finish !== undefined);
  const model = own.findLast((event) => event.type === "model-response");
  const finish = agent?.type === "iteration-end" ? agent.finish : undefined;
  // A run goes through although its agent stopped early; that is no plain end.
  const isEarly = finish !== undefined && finish !== "completed";
  const endings = [
    isEarly && end?.outcome === "completed" ? undefined : end?.outcome,
    end?.error?.code,
    finish,
    model?.type === "model-response" ? model.finishReason : undefined,
  ];
  return [...new Set(endings.filter((each) => each !== undefined))];
}

function toolsOf(events: readonly RunEvent[]): ToolUse[] {
  const calls = new Map<string, ToolUse>();
  for (const event of events) {
    if (event.type === "tool-call-start") {
      const { toolName, input } = event;
      calls.set(event.callId, { name: toolName, input, output: null, ok: false, asked: false, rejected: false });
      continue;
    }
    const call = "callId" in event && event.callId !== undefined ? calls.get(event.callId) : undefined;
    if (!call) continue;
    if (event.type === "approval-wait") call.asked = true;
    if (event.type === "approval-end") {
      call.rejected = !event.approved;
      call.input = event.input;
    }
    if (event.type === "tool-call-end") {
      call.ok = event.ok;
      call.output = event.output;
      call.rejected ||= event.rejected === true;
    }
  }
  return [...calls.values()];
}

/** What agents with a memory read and said, as their memories keep it. */
function rememberedTexts(events: readonly RunEvent[]): string[] | undefined {
  const agents = new Set(events.flatMap((event) => (event.type === "memory-save" ? [event.nodeId] : [])));
  if (agents.size === 0) return undefined;
  const isAnswer = (event: RunEvent): event is EventOf<"model-request"> =>
    event.type === "model-request" && isOfTurn(event.purpose);
  return [...agents].flatMap((nodeId) => {
    const request = events.filter(isAnswer).findLast((event) => event.nodeId === nodeId);
    if (!request) return [];
    const response = events.find((event) => event.type === "model-response" && event.callId === request.callId);
    const said = response?.type === "model-response" ? [response.message] : [];
    const messages: Message[] = [...request.messages.filter(({ role }) => role !== "system"), ...said];
    return messages.map(messageText);
  });
}
