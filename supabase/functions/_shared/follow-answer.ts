import type { Json } from "../../../src/engine/json.ts";
import { isJsonObject } from "../../../src/engine/json.ts";
import type { RunEvent } from "../../../src/engine/run/events.ts";
import { type DoorRun, followRun } from "./door-runs.ts";
import type { SupabaseClient } from "./supabase-client.ts";

/** Tokens of a run. */
export type AnswerUsage = { inputTokens: number; outputTokens: number };

/** What a run's caller sees of it while it goes on: the answer's text, the names of tools, and the end. */
export type AnswerNews =
  | { kind: "status"; status: DoorRun["status"] }
  | { kind: "text"; seq: number; text: string }
  | { kind: "tool"; seq: number; callId: string; name: string; state: "started" | "finished" | "failed" }
  | { kind: "end"; run: DoorRun; text: string; usage: AnswerUsage };

/**
 * Follows a run as its answer: text of the agents in `answering` as it comes, and at the end what of the output was not among
 * it. The texts, put together, end with the whole answer.
 */
export async function* followAnswer(
  supabase: SupabaseClient,
  id: string,
  answering: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<AnswerNews> {
  const calls = new Set<string>();
  let current = "";
  let written = "";
  let last = -1;
  let usage: AnswerUsage = { inputTokens: 0, outputTokens: 0 };
  for await (const news of followRun(supabase, id, -1, signal)) {
    if (news.kind === "status") {
      yield news;
      continue;
    }
    if (news.kind === "end") {
      const text = news.run.status === "completed" ? textOf(news.run.output ?? null) : "";
      const rest = restOf(written.trim(), text);
      if (rest !== "") yield { kind: "text", seq: last, text: written === "" || rest !== text ? rest : `\n\n${rest}` };
      yield { kind: "end", run: news.run, text, usage };
      return;
    }
    const { event } = news;
    last = event.seq;
    if (event.type === "run-end") usage = event.usage;
    const isOwn = event.parentCallId === undefined;
    if (isOwn && event.type === "model-request" && answers(event, answering)) calls.add(event.callId);
    if (isOwn && event.type === "text-delta" && calls.has(event.callId)) {
      const isNext = current !== event.callId && written !== "";
      written = current === event.callId ? written + event.text : event.text;
      current = event.callId;
      yield { kind: "text", seq: event.seq, text: isNext ? `\n\n${event.text}` : event.text };
    }
    if (isOwn && event.type === "tool-call-start") {
      const { seq, callId, toolName: name } = event;
      yield { kind: "tool", seq, callId, name, state: "started" };
    }
    if (isOwn && event.type === "tool-call-end") {
      const { seq, callId, toolName: name, ok } = event;
      yield { kind: "tool", seq, callId, name, state: ok ? "finished" : "failed" };
    }
  }
}

function answers(event: Extract<RunEvent, { type: "model-request" }>, answering: readonly string[]): boolean {
  return (event.purpose === "answer" || event.purpose === "final") && answering.includes(event.nodeId);
}

/** What of the answer has not been written; all of it where the text that was written is another. */
function restOf(written: string, answer: string): string {
  const whole = answer.trim();
  if (written === "") return answer;
  return whole.startsWith(written) ? whole.slice(written.length) : answer;
}

/** A run's output as text: an agent's response, a text, else JSON. */
export function textOf(output: Json): string {
  if (typeof output === "string") return output;
  if (isJsonObject(output) && "response" in output) return textOf(output.response ?? null);
  return output === null ? "" : JSON.stringify(output);
}
