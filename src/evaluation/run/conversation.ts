import { isJsonObject, type Json } from "../../engine/json.ts";
import { canonicalJson } from "../../engine/canonical-json.ts";
import type { RunEvent } from "../../engine/run/events.ts";
import type { Recording } from "../../engine/run/replay/recording.ts";
import type { EvaluationCase } from "../suite/evaluation-case.ts";
import { answerText } from "./view-of-run.ts";

/** One message of a user and the agent's answer. */
export interface Turn {
  input: Json;
  answer: string;
}

/** Says what the user says next; undefined when the user has what it wanted. Rejects with a RunError. */
export type SimulatedUser = (question: {
  goal: string;
  turns: readonly Turn[];
  signal: AbortSignal;
}) => Promise<string | undefined>;

/** A finished run as a turn of its conversation. */
export function turnOf(events: readonly RunEvent[]): Turn {
  const { input } = events.find((event) => event.type === "run-start") ?? { input: null };
  const { output } = events.findLast((event) => event.type === "run-end") ?? { output: null };
  return {
    input: isJsonObject(input) && typeof input.message === "string" ? input.message : input,
    answer: answerText(output),
  };
}

/** Recorded runs of a case, in order, as the conversations that they were. A conversation begins with the case's first message. */
export function conversationsIn(
  recordings: readonly Recording[],
  { turns, user }: Pick<EvaluationCase, "turns" | "user">,
): Recording[][] {
  if (!user) {
    const length = 1 + (turns?.length ?? 0);
    return chunks(recordings, length);
  }
  const found: Recording[][] = [];
  const first = recordings[0] && firstKey(recordings[0]);
  for (const recording of recordings) {
    const current = found.at(-1);
    if (current && firstKey(recording) !== first) current.push(recording);
    else found.push([recording]);
  }
  return found;
}

function firstKey({ events }: Recording): string {
  return canonicalJson(events.find((event) => event.type === "run-start")?.input ?? null);
}

function chunks<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
