import { describe, expect, it } from "vitest";
import { nobodyApproves } from "../../engine/host.ts";
import type { JsonObject } from "../../engine/json.ts";
import { buildWorkflow } from "../../engine/testing/build-workflow.ts";
import { runToEnd } from "../../engine/testing/run-to-end.ts";
import { testHost, type TestHostOptions } from "../../engine/testing/test-host.ts";
import { nodeRegistry } from "../index.ts";

const asking = (message = "Pay {{json.amount}} euros?") =>
  buildWorkflow({
    nodes: {
      start: ["manual-trigger"],
      ask: ["approval", { message }, "Release"],
      pay: ["set-fields", { keepInput: false, fields: { paid: "{{json.amount}}", by: "{{json.approval.approved}}" } }],
      tell: ["set-fields", { keepInput: false, fields: { why: "{{json.approval.reason}}" } }],
    },
    edges: ["start.main -> ask.main", "ask.approved -> pay.main", "ask.declined -> tell.main"],
  });

async function run(approve: TestHostOptions["approve"], input: JsonObject = { amount: 7 }) {
  const host = testHost({ approve });
  return { ...(await runToEnd(asking(), { registry: nodeRegistry, host, input })), host };
}

describe("an approval in the flow", () => {
  it("asks with its message, and continues with its input where a person agrees", async () => {
    const { end, of, host } = await run(() => ({ approved: true, input: { amount: 9_000 } }));
    expect(host.approvals).toMatchObject([
      {
        nodeId: "ask",
        toolNodeId: "ask",
        toolName: "Release",
        message: "Pay 7 euros?",
        input: { message: "Pay 7 euros?" },
      },
    ]);
    expect(end).toMatchObject({ outcome: "completed", output: { paid: 7, by: true } });
    expect(of("approval-wait")).toMatchObject([{ toolName: "Release", input: { message: "Pay 7 euros?" } }]);
    expect(of("approval-end")).toMatchObject([{ approved: true }]);
    expect(of("node-skip").map(({ nodeId }) => nodeId)).toEqual(["tell"]);
  });

  it("continues on the other branch, with the reason, where a person declines", async () => {
    const { end, of } = await run(() => ({ approved: false, reason: "Too much." }));
    expect(end).toMatchObject({ outcome: "completed", output: { why: "Too much." } });
    expect(of("approval-end")).toMatchObject([{ approved: false, reason: "Too much." }]);
    expect(of("node-skip").map(({ nodeId }) => nodeId)).toEqual(["pay"]);
  });

  it("is declined where nobody can be asked, or asking fails", async () => {
    const nobody = await run(nobodyApproves);
    expect(nobody.of("approval-end")).toMatchObject([{ approved: false, unasked: true }]);
    expect(nobody.end).toMatchObject({ output: { why: "Nobody can be asked here." } });
    const broken = await run(() => Promise.reject(new Error("the inbox is gone")));
    expect(broken.end).toMatchObject({ outcome: "completed", output: { why: "Approval could not be requested." } });
  });

  it("asks for each item by a name of its own, so that no answer counts for another", async () => {
    const document = buildWorkflow({
      nodes: {
        start: ["manual-trigger"],
        each: ["for-each", { items: "{{json.list}}" }],
        ask: ["approval", { message: "{{json}}?" }],
      },
      edges: ["start.main -> each.main", "each.main -> ask.main"],
    });
    const host = testHost();
    await runToEnd(document, { registry: nodeRegistry, host, input: { list: ["a", "b"] } });
    expect(host.approvals.map(({ callId, message }) => [callId, message]).toSorted()).toEqual([
      ["approval:ask:0", "a?"],
      ["approval:ask:1", "b?"],
    ]);
  });

  it("ends with the run when that is stopped", async () => {
    const controller = new AbortController();
    const host = testHost({
      approve: (_request, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
          controller.abort();
        }),
    });
    const { end } = await runToEnd(asking(), {
      registry: nodeRegistry,
      host,
      input: { amount: 1 },
      signal: controller.signal,
    });
    expect(end.outcome).toBe("cancelled");
  });

  it("says on the node what is missing when there is no question", async () => {
    const host = testHost();
    const { end } = await runToEnd(asking(""), { registry: nodeRegistry, host, input: {} });
    expect(end).toMatchObject({ outcome: "failed", error: { nodeId: "ask" } });
    expect(host.approvals).toEqual([]);
  });
});
