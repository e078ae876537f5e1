import { describe, expect, it } from "vitest";
import { createBreakpointStore } from "./breakpoint-store.ts";
import { createPauseStore } from "./pause-store.ts";

function memoryStorage(): Storage {
  const values = new Map<string, string>();
  return {
    get length() {
      return values.size;
    },
    clear: () => values.clear(),
    getItem: (key) => values.get(key) ?? null,
    key: (index) => [...values.keys()][index] ?? null,
    removeItem: (key) => void values.delete(key),
    setItem: (key, value) => void values.set(key, value),
  };
}

const place = (kind: "node" | "model-call" | "tool-call", atNodeId: string) => ({ kind, nodeId: "agent", atNodeId });

describe("breakpoints", () => {
  it("hold at chosen nodes and before chosen calls, as they stand at that moment", () => {
    const store = createBreakpointStore("w", memoryStorage);
    const { holdsAt } = store.breakpoints;
    expect(holdsAt(place("node", "a"))).toBe(false);
    store.getState().toggle("a");
    expect(holdsAt(place("node", "a"))).toBe(true);
    expect(holdsAt(place("tool-call", "b"))).toBe(false);
    store.getState().setBeforeToolCalls(true);
    store.getState().toggle("a");
    expect([holdsAt(place("node", "a")), holdsAt(place("tool-call", "b")), holdsAt(place("model-call", "b"))]).toEqual([
      false,
      true,
      false,
    ]);
    store.getState().setBeforeModelCalls(true);
    expect(holdsAt(place("model-call", "b"))).toBe(true);
    store.getState().clear();
    expect(holdsAt(place("model-call", "b"))).toBe(false);
  });

  it("are kept in this browser for each workflow", () => {
    const storage = memoryStorage();
    const first = createBreakpointStore("one", () => storage);
    first.getState().toggle("a");
    first.getState().setBeforeToolCalls(true);
    expect(createBreakpointStore("one", () => storage).getState()).toMatchObject({
      nodes: ["a"],
      beforeToolCalls: true,
    });
    expect(createBreakpointStore("two", () => storage).getState().nodes).toEqual([]);
    first.getState().clear();
    expect(storage.length).toBe(0);
  });

  it("S60 work without storage, and with nonsense in it", () => {
    const broken = createBreakpointStore("w", () => {
      throw new Error("denied");
    });
    broken.getState().toggle("a");
    expect(broken.breakpoints.holdsAt(place("node", "a"))).toBe(true);
    const storage = memoryStorage();
    for (const nonsense of ["{", "3", '{"nodes":[1,"a"],"beforeToolCalls":"yes"}']) {
      storage.setItem("switchyard:breakpoints:w", nonsense);
      const { nodes, beforeToolCalls } = createBreakpointStore("w", () => storage).getState();
      expect([nodes.every((id) => typeof id === "string"), beforeToolCalls]).toEqual([true, false]);
    }
  });
});

describe("what is held", () => {
  const request = (pauseId: string) => ({ ...place("node", "a"), pauseId, input: {} });

  it("waits until somebody decides", async () => {
    const store = createPauseStore();
    const pause = store.pauserFor("run-1");
    const decided = pause(request("p1"), new AbortController().signal);
    expect(store.getState().pending).toMatchObject([{ pauseId: "p1", runId: "run-1" }]);
    store.getState().decide("unknown", { action: "stop" });
    store.getState().decide("p1", { action: "step", input: 5 });
    expect(await decided).toEqual({ action: "step", input: 5 });
    expect(store.getState().pending).toEqual([]);
  });

  it("leaves the list when its run is stopped", async () => {
    const store = createPauseStore();
    const controller = new AbortController();
    const decided = store.pauserFor("run-1")(request("p1"), controller.signal);
    controller.abort(new Error("stopped"));
    await expect(decided).rejects.toThrow("stopped");
    expect(store.getState().pending).toEqual([]);
    await expect(store.pauserFor("run-1")(request("p2"), controller.signal)).rejects.toThrow("stopped");
  });
});
