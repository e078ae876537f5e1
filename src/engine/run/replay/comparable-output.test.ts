import { describe, expect, it } from "vitest";
import type { Json } from "../../json.ts";
import { emptyRunState } from "../run-state.ts";
import { comparableOutput } from "./comparable-output.ts";
import { compareRuns } from "./compare-runs.ts";

const answered = (response: string, durationMs: number, finishReason = "completed") => ({
  metadata: { finishReason, durationMs, costUsd: durationMs / 1_000, usage: { inputTokens: durationMs } },
  response,
});
const run = (output: ReturnType<typeof answered>) => ({ ...emptyRunState("r"), output });

describe("outputs that are compared", () => {
  it("are the same where an agent gave the same answer, however long it took", () => {
    expect(compareRuns(run(answered("42", 80)), run(answered("42", 95))).sameOutput).toBe(true);
    expect(compareRuns(run(answered("42", 80)), run(answered("43", 80))).sameOutput).toBe(false);
    expect(compareRuns(run(answered("42", 80)), run(answered("42", 80, "length"))).sameOutput).toBe(false);
  });

  it("begin with the answer", () => {
    expect(Object.keys(comparableOutput(answered("42", 80)) ?? {})).toEqual(["response", "metadata"]);
  });

  it("are left alone where they are no agent's", () => {
    const others: Json[] = [null, 5, "text", [1], { response: "a" }, { metadata: { durationMs: 5 } }];
    for (const output of others) {
      expect(comparableOutput(output)).toBe(output);
    }
    expect(comparableOutput(undefined)).toBeUndefined();
  });
});
