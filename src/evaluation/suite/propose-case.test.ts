import { describe, expect, it } from "vitest";
import type { RunEvent, RunEventBody } from "../../engine/run/events.ts";
import { numberEvents } from "../../engine/testing/run-events.ts";
import { proposeCase } from "./propose-case.ts";

function runOf(
  message: string,
  response: string,
  tools: [name: string, output: string, asked?: boolean][],
): RunEvent[] {
  const calls = tools.flatMap(([toolName, output, asked], index): RunEventBody[] => {
    const call = { nodeId: "agent", toolNodeId: toolName, edgeId: "e", callId: `c${index}`, toolName };
    const waits: RunEventBody[] = asked
      ? [
          { type: "approval-wait", ...call, input: {} },
          { type: "approval-end", ...call, approved: true, input: {} },
        ]
      : [];
    const end = { ok: true, output, text: output, size: output.length, truncated: false, durationMs: 1 };
    return [{ type: "tool-call-start", ...call, input: {} }, ...waits, { type: "tool-call-end", ...call, ...end }];
  });
  const usage = { inputTokens: 1, outputTokens: 1 };
  const bodies: RunEventBody[] = [
    { type: "run-start", workflowId: "w", workflowName: "W", input: { message } },
    ...calls,
    { type: "run-end", outcome: "completed", output: { response }, usage, costUsd: 0, durationMs: 1 },
  ];
  return numberEvents("run-1", bodies, 0);
}

describe("a case that is made of a run", () => {
  it("has its input, its answer, and proposes what its steps show", () => {
    const events = runOf("Refund\norder 1001, please", "I paid back 59.9 for order 1001 in 3 steps.", [
      ["find_order", '{"order":1001,"paid":59.9}'],
      ["issue_refund", "Refunded.", true],
    ]);
    const proposed = proposeCase(events);
    expect(proposed.case).toEqual({
      id: "Refund order 1001, please",
      input: { message: "Refund\norder 1001, please" },
      expected: "I paid back 59.9 for order 1001 in 3 steps.",
      source: { runId: "run-1" },
    });
    expect(proposed.proposals.map(({ assertion: { type, value } }) => [type, value])).toEqual([
      ["tool-used", ["find_order", "issue_refund"]],
      ["tool-sequence", ["find_order", "issue_refund"]],
      ["approval-asked", ["issue_refund"]],
      ["contains-all", ["59.9", "1001"]],
    ]);
  });

  it("expects at least its end where it shows nothing else", () => {
    const { proposals } = proposeCase(runOf("", "Hello.", []));
    expect(proposals.map(({ assertion }) => assertion.type)).toEqual(["finish-reason"]);
    expect(proposeCase(runOf("", "Hello.", [])).case.id).toBe("case");
  });
});
