import { describe, expect, it } from "vitest";
import { createApprovalStore } from "./approval-store.ts";

const request = {
  nodeId: "agent",
  toolNodeId: "tool",
  toolName: "http",
  callId: "call-1",
  input: { url: "https://a.example" },
  parameters: {},
};

describe("approval store", () => {
  it("lists a call until it is decided, and answers it once", async () => {
    const store = createApprovalStore();
    const answer = store.approverFor("run-1")(request, new AbortController().signal);
    expect(store.getState().pending).toEqual([{ ...request, runId: "run-1" }]);
    store.getState().decide("call-1", { approved: true, input: { url: "https://b.example" } });
    store.getState().decide("call-1", { approved: false, reason: "too late" });
    expect(await answer).toEqual({ approved: true, input: { url: "https://b.example" } });
    expect(store.getState().pending).toEqual([]);
  });

  it("S56 forgets a call whose run was stopped", async () => {
    const store = createApprovalStore();
    const stop = new AbortController();
    const answer = store.approverFor("run-1")(request, stop.signal);
    const other = store.approverFor("run-2")({ ...request, callId: "call-2" }, new AbortController().signal);
    stop.abort(new Error("stopped"));
    await expect(answer).rejects.toThrow("stopped");
    expect(store.getState().pending.map(({ callId }) => callId)).toEqual(["call-2"]);
    store.getState().decide("call-2", { approved: false, reason: "no" });
    expect(await other).toEqual({ approved: false, reason: "no" });
  });

  it("does not ask for a run that was already stopped", async () => {
    const store = createApprovalStore();
    await expect(store.approverFor("run-1")(request, AbortSignal.abort(new Error("stopped")))).rejects.toThrow(
      "stopped",
    );
    expect(store.getState().pending).toEqual([]);
  });
});
