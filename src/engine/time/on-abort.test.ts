import { describe, expect, it } from "vitest";
import { runScriptedAgent, testTool } from "../testing/run-scripted-agent.ts";
import { onAbort } from "./on-abort.ts";

describe("onAbort", () => {
  it("calls every watcher once, and none that has left", () => {
    const controller = new AbortController();
    const seen: string[] = [];
    onAbort(controller.signal, () => seen.push("a"));
    const leave = onAbort(controller.signal, () => seen.push("b"));
    onAbort(controller.signal, () => seen.push("c"));
    leave();
    controller.abort();
    controller.abort();
    expect(seen).toEqual(["a", "c"]);
    onAbort(controller.signal, () => seen.push("late"));
    expect(seen).toEqual(["a", "c", "late"]);
  });

  it("lets no listener pile up on a run's signals", async () => {
    const listeners = new Map<AbortSignal, number>();
    const count = (signal: AbortSignal) => {
      const add = signal.addEventListener.bind(signal);
      signal.addEventListener = (...parameters: Parameters<typeof add>) => {
        listeners.set(signal, (listeners.get(signal) ?? 0) + 1);
        add(...parameters);
      };
    };
    const controller = new AbortController();
    count(controller.signal);
    await runScriptedAgent({
      script: (_request, index) =>
        index < 20 ? { calls: [{ name: "add", arguments: { index } }] } : { text: "Done." },
      tools: [testTool("add", (input) => ({ ok: true, output: input }))],
      settings: { maxIterations: 50 },
      signal: controller.signal,
    });
    expect(listeners.get(controller.signal)).toBe(1);
  });
});
