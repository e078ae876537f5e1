import { describe, expect, it } from "vitest";
import { messageText } from "../../model/message.ts";
import { runScriptedAgent, testTool } from "../../testing/run-scripted-agent.ts";
import type { ScriptedCall } from "../../testing/scripted-model.ts";
import { testHost } from "../../testing/test-host.ts";

const numbers = {
  type: "object",
  properties: { a: { type: "number" }, options: { type: "object", properties: { unit: { enum: ["m", "km"] } } } },
  required: ["a"],
  additionalProperties: false,
};

/** Runs one turn with these calls, then a final answer; gives what the model read of each call. */
async function oneTurn(calls: ScriptedCall[], options: Omit<Parameters<typeof runScriptedAgent>[0], "script"> = {}) {
  const result = await runScriptedAgent({ ...options, script: [{ calls }, { text: "Done." }] });
  const read = (result.model.requests[1]?.messages ?? []).filter((message) => message.role === "tool");
  return { ...result, read };
}

describe("S53 calls that cannot be made", () => {
  it("tells the model that the arguments are no JSON", async () => {
    const add = testTool("add", "ok", { parameters: numbers });
    const { read, of, outcome } = await oneTurn([{ name: "add", arguments: '{"a": 1' }], { tools: [add] });
    expect(read[0]).toMatchObject({ ok: false });
    expect(read[0] && messageText(read[0])).toContain("not valid JSON");
    expect(of("tool-call-start")[0]?.input).toBe('{"a": 1');
    expect(of("tool-call-end")[0]).toMatchObject({ ok: false, output: { code: "invalid_arguments" } });
    expect(add.inputs).toEqual([]);
    expect(outcome).toMatchObject({ ok: true, output: { response: "Done." } });
  });

  it("names the field that is missing, wrong or unknown", async () => {
    const tools = [testTool("add", "ok", { parameters: numbers })];
    const { read } = await oneTurn(
      [
        { name: "add", arguments: {} },
        { name: "add", arguments: { a: "one" } },
        { name: "add", arguments: { a: 1, options: { unit: "mile" } } },
        { name: "add", arguments: { a: 1, extra: true } },
        { name: "add", arguments: "[1]" },
      ],
      { tools },
    );
    const texts = read.map(messageText);
    expect(texts[0]).toContain('"a"');
    expect(texts[1]).toContain('Field "a"');
    expect(texts[1]).toContain("number");
    expect(texts[2]).toContain('Field "options.unit"');
    expect(texts[3]).toContain('Field "extra" is not known here; leave it out.');
    expect(texts[4]).toContain("a list");
    expect(read.every((message) => message.role === "tool" && !message.ok)).toBe(true);
  });

  it("fits arguments to the types of the tool before anything else, and shows them so", async () => {
    const add = testTool("add", "ok", { parameters: numbers });
    const { of } = await oneTurn([{ name: "add", arguments: { a: "1", options: null } }], { tools: [add] });
    expect(add.inputs).toEqual([{ a: 1 }]);
    expect(of("tool-call-start")[0]?.input).toEqual({ a: 1 });
  });

  it("takes missing arguments of a tool without parameters as none", async () => {
    const ping = testTool("ping");
    await oneTurn([{ name: "ping", arguments: "" }], { tools: [ping] });
    expect(ping.inputs).toEqual([{}]);
  });

  it("tells the model of an unknown tool, with the nearest name", async () => {
    const { read, of } = await oneTurn([{ name: "calcluator", arguments: {} }], { tools: [testTool("calculator")] });
    expect(read[0] && messageText(read[0])).toContain('Did you mean "calculator"?');
    expect(of("tool-call-end")[0]).toMatchObject({ toolNodeId: "agent", edgeId: "", ok: false });
  });

  it("gives calls with one id two ids, runs both and tells the model", async () => {
    const add = testTool("add", (input) => ({ ok: true, output: input }));
    const { read, of, outcome } = await oneTurn(
      [
        { name: "add", arguments: { a: 1 }, callId: "same" },
        { name: "add", arguments: { a: 2 }, callId: "same" },
      ],
      { tools: [add] },
    );
    expect(add.inputs).toEqual([{ a: 1 }, { a: 2 }]);
    const ids = read.map((message) => (message.role === "tool" ? message.callId : ""));
    expect(ids[0]).toBe("same");
    expect(new Set(ids).size).toBe(2);
    expect(read[1] && messageText(read[1])).toContain('The call id "same" was used twice');
    expect(new Set(of("tool-call-start").map((event) => event.callId)).size).toBe(2);
    expect(outcome.ok).toBe(true);
  });

  it("runs a call that came twice in full only once", async () => {
    const add = testTool("add");
    const twice = { name: "add", arguments: { a: 1 }, callId: "same" };
    const { read } = await oneTurn([twice, twice], { tools: [add] });
    expect(add.inputs).toHaveLength(1);
    expect(read[1]).toMatchObject({ ok: false });
  });

  it("gives an id that returns in a later turn a new one", async () => {
    const calls = [{ name: "add", arguments: {}, callId: "call_0" }];
    const { model, of } = await runScriptedAgent({
      script: [{ calls }, { calls }, { text: "Done." }],
      tools: [testTool("add")],
    });
    const ids = (model.requests[2]?.messages ?? []).flatMap((message) =>
      message.role === "tool" ? [message.callId] : [],
    );
    expect(new Set(ids).size).toBe(2);
    expect(new Set(of("tool-call-start").map((event) => event.callId)).size).toBe(2);
  });

  it("turns a throw into a result that the model reads", async () => {
    const explode = testTool("explode", () => {
      throw new Error("kaboom");
    });
    const { read, outcome } = await oneTurn([{ name: "explode", arguments: {} }], { tools: [explode] });
    expect(read[0] && messageText(read[0])).toContain("kaboom");
    expect(outcome.ok).toBe(true);
  });

  it("gives a failed result to the model with hint and details", async () => {
    const fail = testTool("fail", () => ({
      ok: false,
      error: { message: "No such row.", hint: "List the rows first.", details: { status: 404 } },
    }));
    const { read } = await oneTurn([{ name: "fail", arguments: {} }], { tools: [fail] });
    expect(read[0] && messageText(read[0])).toBe('Error: No such row. List the rows first.\n{"status":404}');
  });
});

describe("tool limits", () => {
  it("ends a call at its time limit, aborts it, and goes on", async () => {
    let aborted = false;
    const slow = testTool(
      "slow",
      (_input, signal) =>
        new Promise(() => {
          signal.addEventListener("abort", () => (aborted = true));
        }),
      { timeoutMs: 2_000 },
    );
    const { read, of, outcome } = await oneTurn([{ name: "slow", arguments: {} }], { tools: [slow] });
    expect(aborted).toBe(true);
    expect(read[0] && messageText(read[0])).toContain("within 2 s");
    expect(of("tool-call-end")[0]).toMatchObject({ ok: false, durationMs: 2_000, output: { code: "timeout" } });
    expect(outcome.ok).toBe(true);
  });

  it("S55 cuts 5 MB of output with a mark; the log has the size", async () => {
    const huge = "x".repeat(5_000_000);
    const { read, of } = await oneTurn([{ name: "big", arguments: {} }], { tools: [testTool("big", huge)] });
    const text = read[0] ? messageText(read[0]) : "";
    expect(text.length).toBeLessThan(20_100);
    expect(text).toContain("[cut: the first 20,000 of 5,000,000 characters]");
    expect(of("tool-call-end")[0]).toMatchObject({ size: 5_000_000, truncated: true });
    expect(JSON.stringify(of("tool-call-end")[0]).length).toBeLessThan(50_000);
  });

  it("cuts at the tool's own limit and never inside a surrogate pair", async () => {
    const tools = [testTool("smile", "😀".repeat(100), { maxResultChars: 101 })];
    const { read } = await oneTurn([{ name: "smile", arguments: {} }], { tools });
    expect(read[0] && messageText(read[0]).split("\n")[0]).toBe("😀".repeat(50));
  });

  it("S55 runs 50 parallel calls, never more than toolConcurrency at once, results in call order", async () => {
    const host = testHost();
    let running = 0;
    let most = 0;
    const wait = testTool("wait", async (input, signal) => {
      running += 1;
      most = Math.max(most, running);
      await host.sleep(1_000 - 10 * Number(input["n"]), signal);
      running -= 1;
      return { ok: true, output: input["n"] ?? null };
    });
    const calls = Array.from({ length: 50 }, (_, n) => ({ name: "wait", arguments: { n } }));
    const { read } = await oneTurn(calls, { host, tools: [wait], settings: { toolConcurrency: 5 } });
    expect(most).toBe(5);
    expect(read.map(messageText)).toEqual(Array.from({ length: 50 }, (_, n) => String(n)));
  });

  it("tells the model when one turn has too many calls", async () => {
    const ping = testTool("ping", "pong");
    const calls = Array.from({ length: 130 }, (_, n) => ({ name: "ping", arguments: { n } }));
    const { read, of } = await oneTurn(calls, { tools: [ping], settings: { repeatedCallLimit: 100 } });
    expect(ping.inputs).toHaveLength(100);
    expect(read).toHaveLength(130);
    expect(read[129] && messageText(read[129])).toContain("Only 100 calls");
    expect(of("tool-call-end")).toHaveLength(130);
  });

  it("tells of a repeated call at the limit and stops at twice the limit", async () => {
    const { outcome, model, of } = await runScriptedAgent({
      // The same arguments, whichever comes first.
      script: (_request, index) => {
        const args: ScriptedCall["arguments"] =
          index % 2 === 0 ? { b: 1, a: { d: 2, c: 3 } } : { a: { c: 3, d: 2 }, b: 1 };
        return { text: "Trying.", calls: [{ name: "ping", arguments: args }] };
      },
      tools: [testTool("ping", "pong")],
      settings: { maxIterations: 50, repeatedCallLimit: 2 },
    });
    const texts = of("tool-call-end").map((event) => event.text);
    expect(texts).toHaveLength(4);
    expect(texts[0]).toBe("pong");
    expect(texts[1]).toContain("same call 2 times");
    expect(model.requests).toHaveLength(4);
    expect(outcome).toMatchObject({ ok: true, finish: "loop_detected", output: { response: "Trying." } });
  });

  it("does not count a call whose result changes as repeated", async () => {
    let count = 0;
    const { outcome } = await runScriptedAgent({
      script: (_request, index) => (index < 8 ? { calls: [{ name: "poll", arguments: {} }] } : { text: "Ready." }),
      tools: [testTool("poll", () => ({ ok: true, output: (count += 1) }))],
      settings: { repeatedCallLimit: 2 },
    });
    expect(outcome).toMatchObject({ ok: true, finish: "completed" });
  });

  it("puts a tool's own log lines into the run", async () => {
    const host = testHost();
    const chatty = {
      ...testTool("chatty"),
      execute: (_input: unknown, context: { log(message: string): void }) => {
        context.log("half way");
        return Promise.resolve({ ok: true as const, output: 1 });
      },
    };
    const { of } = await oneTurn([{ name: "chatty", arguments: {} }], { host, tools: [chatty] });
    expect(of("log")).toMatchObject([{ nodeId: "chatty-node", message: "half way" }]);
  });
});
