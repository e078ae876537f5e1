import type { Json } from "../../../src/engine/json.ts";
import { isJsonObject } from "../../../src/engine/json.ts";
import { type DoorRun, followRun } from "./door-runs.ts";
import { type Spoken, SpokenText } from "./spoken-text.ts";
import type { SupabaseClient } from "./supabase-client.ts";

/** Tokens of a run. */
export interface AnswerUsage {
  inputTokens: number;
  outputTokens: number;
}

/** Where a piece of an answer stands: an event of the run's log and, for text, characters of what it says. */
export interface AnswerPlace {
  seq: number;
  upTo?: number;
}

/** What a run's caller sees of it while it goes on: the answer's text, the names of tools, and the end. */
export type AnswerNews =
  | { kind: "status"; status: DoorRun["status"] }
  | { kind: "text"; seq: number; upTo: number; text: string }
  | { kind: "tool"; seq: number; callId: string; name: string; state: "started" | "finished" | "failed" }
  | { kind: "end"; run: DoorRun; text: string; usage: AnswerUsage };

/**
 * Follows a run as its answer: text of the agents in `answering` as it comes, and at the end what of the output was not among
 * it. The texts, put together, end with the whole answer. With `after`, only what comes after that place.
 */
export async function* followAnswer(
  supabase: SupabaseClient,
  id: string,
  answering: readonly string[],
  signal: AbortSignal,
  after: AnswerPlace = { seq: -1 },
): AsyncGenerator<AnswerNews> {
  const spoken = new SpokenText();
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
      const isSeparate = written !== "" && rest === text;
      const place = { seq: last, upTo: rest.length };
      if (rest !== "" && isAfter(place, after))
        yield { kind: "text", ...place, text: `${isSeparate ? "\n\n" : ""}${rest}` };
      yield { kind: "end", run: news.run, text, usage };
      return;
    }
    const said = news.kind === "live" ? spoken.live(news.text) : spoken.stored(news.event);
    if (said !== null && answers(said, answering)) {
      const isNext = current !== said.callId && written !== "";
      written = current === said.callId ? written + said.text : said.text;
      current = said.callId;
      const text = newPart(said, after);
      const place = { seq: said.request, upTo: said.upTo };
      if (text !== "") yield { kind: "text", ...place, text: isNext ? `\n\n${text}` : text };
    }
    if (news.kind === "live") continue;
    const { event } = news;
    last = event.seq;
    if (event.type === "run-end") usage = event.usage;
    if (event.parentCallId !== undefined || event.seq <= after.seq) continue;
    if (event.type === "tool-call-start") {
      const { seq, callId, toolName: name } = event;
      yield { kind: "tool", seq, callId, name, state: "started" };
    }
    if (event.type === "tool-call-end") {
      const { seq, callId, toolName: name, ok } = event;
      yield { kind: "tool", seq, callId, name, state: ok ? "finished" : "failed" };
    }
  }
}

function answers({ purpose, nodeId }: Spoken, answering: readonly string[]): boolean {
  return (purpose === "answer" || purpose === "final") && answering.includes(nodeId);
}

function isAfter({ seq, upTo }: Required<AnswerPlace>, after: AnswerPlace): boolean {
  return seq > after.seq || (seq === after.seq && upTo > (after.upTo ?? Infinity));
}

function newPart({ request, upTo, text }: Spoken, after: AnswerPlace): string {
  if (!isAfter({ seq: request, upTo }, after)) return "";
  const known = request === after.seq ? (after.upTo ?? 0) - (upTo - text.length) : 0;
  return text.slice(Math.max(0, known));
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
