import type { Host } from "../../engine/host.ts";
import type { Json } from "../../engine/json.ts";

/** What a judge said about an answer. */
export interface Judgement {
  pass: boolean;
  /** From 0 to 1. */
  score: number;
  reason: string;
}

/** What a judge is asked. */
export interface JudgeQuestion {
  rubric: string;
  input: Json;
  answer: string;
}

/** What assertions need of the world. */
export interface AssertionServices {
  host: Pick<Host, "runCode" | "checkSchema" | "now">;
  signal: AbortSignal;
  /** Rejects with a RunError when the model fails. Absent without a judge. */
  judge?(question: JudgeQuestion): Promise<Judgement>;
  /** How close texts are in meaning to a text, by the cosine of their vectors. Rejects with a RunError. */
  similarity?(text: string, others: readonly string[]): Promise<number[]>;
}
