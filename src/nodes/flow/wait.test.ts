import { describe, expect, it } from "vitest";
import type { WaitRequest } from "../../engine/host.ts";
import type { JsonObject } from "../../engine/json.ts";
import { buildWorkflow } from "../../engine/testing/build-workflow.ts";
import { runToEnd } from "../../engine/testing/run-to-end.ts";
import { testHost } from "../../engine/testing/test-host.ts";
import { nodeRegistry } from "../index.ts";

const startsAt = Date.parse("2030-01-31T08:00:00Z");

const waiting = (config: JsonObject) =>
  buildWorkflow({
    nodes: { start: ["manual-trigger"], wait: ["wait", config] },
    edges: ["start.main -> wait.main"],
  });

async function run(config: JsonObject, input: JsonObject = { order: 7 }) {
  const host = testHost({ startsAt });
  const finished = await runToEnd(waiting(config), { registry: nodeRegistry, host, input });
  return { ...finished, host, waited: host.now() - startsAt };
}

describe("a wait", () => {
  it("passes its input on after the time, and says until when it waits", async () => {
    const { end, of, waited } = await run({ mode: "for", amount: 90, unit: "minutes" });
    expect(end).toMatchObject({ outcome: "completed", output: { order: 7 } });
    expect(of("wait-start")).toMatchObject([{ nodeId: "wait", until: startsAt + 90 * 60_000 }]);
    expect(of("wait-end")).toHaveLength(1);
    expect(waited).toBe(90 * 60_000);
  });

  it("lasts longer than a timer can", async () => {
    expect((await run({ mode: "for", amount: 60, unit: "days" })).waited).toBe(60 * 86_400_000);
  });

  it("ends at a date and time, also one from an expression", async () => {
    const at = "2030-01-31T10:30:00+02:00";
    expect((await run({ mode: "until", until: at })).waited).toBe(30 * 60_000);
    expect((await run({ mode: "until", until: "{{json.at}}" }, { at })).waited).toBe(30 * 60_000);
    expect((await run({ mode: "until", until: String(startsAt + 5_000) })).waited).toBe(5_000);
  });

  it("in the past is none", async () => {
    const { end, of } = await run({ mode: "until", until: "2020-01-01T00:00:00Z" });
    expect(end).toMatchObject({ outcome: "completed", output: { order: 7 } });
    expect(of("wait-start")).toEqual([]);
  });

  it.each([
    [{ mode: "until", until: "tomorrow" }, "“tomorrow” is not a date and time."],
    [{ mode: "until", until: "2040-01-01T00:00:00Z" }, "The wait is longer than 366 days."],
    [{ mode: "for", amount: 400, unit: "days" }, "The wait is longer than 366 days."],
  ])("with %j fails in words", async (config, message) => {
    const { end } = await run(config);
    expect(end).toMatchObject({ outcome: "failed", error: { code: "invalid_config", message, nodeId: "wait" } });
    expect(end.error?.hint).not.toBe("");
  });

  it("is left to a host that can put the run aside, by a name of its own for each item and each call", async () => {
    const asked: WaitRequest[] = [];
    const document = buildWorkflow({
      nodes: {
        start: ["manual-trigger"],
        each: ["for-each", { items: "{{json.list}}" }],
        wait: ["wait", { mode: "for", amount: 1, unit: "hours" }],
      },
      edges: ["start.main -> each.main", "each.main -> wait.main"],
    });
    const host = { ...testHost({ startsAt }), wait: async (request: WaitRequest) => void asked.push(request) };
    const { end } = await runToEnd(document, { registry: nodeRegistry, host, input: { list: ["a", "b"] } });
    expect(end.outcome).toBe("completed");
    expect(asked.map(({ waitId }) => waitId).toSorted()).toEqual(["wait:wait:0", "wait:wait:1"]);
    expect(asked[0]).toMatchObject({ nodeId: "wait", until: startsAt + 3_600_000 });
  });

  it("ends with the run when that is stopped", async () => {
    const controller = new AbortController();
    const host = testHost({ startsAt });
    const wait = (_request: WaitRequest, signal: AbortSignal) =>
      new Promise<void>((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason), { once: true });
        controller.abort();
      });
    const { end } = await runToEnd(waiting({ mode: "for", amount: 1, unit: "days" }), {
      registry: nodeRegistry,
      host: { ...host, wait },
      input: {},
      signal: controller.signal,
    });
    expect(end.outcome).toBe("cancelled");
  });
});
