import { describe, expect, it } from "vitest";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import type { CodeRequest } from "../../engine/host.ts";
import type { Json, JsonObject } from "../../engine/json.ts";
import type { EventOf, RunEvent } from "../../engine/run/events.ts";
import { runWorkflow } from "../../engine/run/run-workflow.ts";
import { sampleDocument } from "../../engine/testing/sample-nodes.ts";
import { testHost, type TestHostOptions } from "../../engine/testing/test-host.ts";
import { nodeRegistry } from "../index.ts";
import { code } from "./code.ts";

type End = EventOf<"run-end">;

async function run(document: WorkflowDocument, input: Json = {}, options: TestHostOptions = {}) {
  const host = testHost(options);
  const events: RunEvent[] = [];
  for await (const event of runWorkflow(document, { registry: nodeRegistry, host, input })) events.push(event);
  const end = events.find((event): event is End => event.type === "run-end");
  if (!end) throw new Error("The run has no end.");
  return { events, end, host };
}

const flow = (nodes: Parameters<typeof sampleDocument>[0], edges: readonly string[]) =>
  sampleDocument({ start: "manual-trigger", ...nodes }, edges, nodeRegistry);

const single = (type: string, config: JsonObject) => flow({ node: [type, config] }, ["start>node"]);

describe("triggers", () => {
  it("manual-trigger gives the run's input, or its own when there is none", async () => {
    const document = sampleDocument({ start: ["manual-trigger", { input: { a: 1 } }] }, [], nodeRegistry);
    expect((await run(document)).end.output).toEqual({ a: 1 });
    expect((await run(document, [2])).end.output).toEqual([2]);
  });

  it("chat-trigger gives message and session, fills the session in, and refuses anything else", async () => {
    const document = sampleDocument({ chat: "chat-trigger" }, [], nodeRegistry);
    expect((await run(document, { message: " hi ", sessionId: "s1", extra: 1 })).end.output).toEqual({
      message: "hi",
      sessionId: "s1",
      extra: 1,
    });
    expect((await run(document, { message: "hi" })).end.output).toMatchObject({ sessionId: "test-workflow:default" });
    const wrong: Json[] = [{}, "hi", { message: " " }, { message: 5 }];
    for (const input of wrong) {
      expect((await run(document, input)).end.error).toMatchObject({ code: "invalid_arguments", nodeId: "chat" });
    }
  });

  it("the trigger that fits the input starts", async () => {
    const document = sampleDocument({ manual: "manual-trigger", chat: "chat-trigger" }, [], nodeRegistry);
    expect((await run(document, { message: "hi" })).end.output).toMatchObject({ sessionId: "test-workflow:default" });
    expect((await run(document, { other: 1 })).end.output).toEqual({ other: 1 });
  });
});

describe("set-fields", () => {
  it("sets fields, keeps types and the other fields", async () => {
    const fields = { sum: "{{json.a + 1}}", text: "a is {{json.a}}", list: ["{{json.a}}"], plain: true };
    expect((await run(single("set-fields", { fields }), { a: 1, b: 2 })).end.output).toEqual({
      a: 1,
      b: 2,
      sum: 2,
      text: "a is 1",
      list: [1],
      plain: true,
    });
    expect((await run(single("set-fields", { fields: { x: 1 }, keepInput: false }), { a: 1 })).end.output).toEqual({
      x: 1,
    });
    expect((await run(single("set-fields", { fields: { x: 1 } }), "text")).end.output).toEqual({ x: 1 });
  });
});

describe("if and switch", () => {
  const document = flow(
    {
      check: ["if", { condition: "{{json.n > 1}}" }],
      yes: ["set-fields", { fields: { way: "yes" } }],
      no: ["set-fields", { fields: { way: "no" } }],
    },
    ["start>check", "check.true>yes", "check.false>no"],
  );

  it("if takes the way of its condition and skips the other", async () => {
    const { end, events } = await run(document, { n: 2 });
    expect(end.output).toEqual({ n: 2, way: "yes" });
    expect(events.filter((event) => event.type === "node-skip").map((event) => event.nodeId)).toEqual(["no"]);
    expect((await run(document, { n: 1 })).end.output).toEqual({ n: 1, way: "no" });
  });

  it("if refuses what is neither true nor false", async () => {
    const odd = single("if", { condition: "json.n > 1" });
    expect((await run(odd, { n: 1 })).end.error).toMatchObject({ code: "invalid_config", nodeId: "node" });
    expect((await run(single("if", { condition: "{{json.n}}" }), { n: 1 })).end.error?.message).toContain(
      "true or false",
    );
  });

  it("switch compares texts, numbers and templates, or takes the other way", async () => {
    const cases = ["a", "2", "{{json.third}}"];
    const ways = flow(
      {
        pick: ["switch", { value: "{{json.kind}}", cases }],
        one: ["set-fields", { fields: { way: 1 }, keepInput: false }],
        two: ["set-fields", { fields: { way: 2 }, keepInput: false }],
        three: ["set-fields", { fields: { way: 3 }, keepInput: false }],
        other: ["set-fields", { fields: { way: 0 }, keepInput: false }],
      },
      ["start>pick", "pick.case1>one", "pick.case2>two", "pick.case3>three", "pick.default>other"],
    );
    const wayOf = async (kind: Json) => (await run(ways, { kind, third: "c" })).end.output;
    expect(await wayOf("a")).toEqual({ way: 1 });
    expect(await wayOf(2)).toEqual({ way: 2 });
    expect(await wayOf("c")).toEqual({ way: 3 });
    expect(await wayOf("z")).toEqual({ way: 0 });
  });
});

describe("merge", () => {
  const branches = (config: JsonObject) =>
    flow(
      {
        a: ["set-fields", { fields: { a: 1 }, keepInput: false }],
        b: ["set-fields", { fields: { b: 2 }, keepInput: false }],
        merge: ["merge", config],
      },
      ["start>a", "start>b", "a>merge", "b>merge"],
    );

  it("waits for all and gives a list or one object", async () => {
    expect((await run(branches({}))).end.output).toEqual([{ a: 1 }, { b: 2 }]);
    expect((await run(branches({ combine: "object" }))).end.output).toEqual({ a: 1, b: 2 });
  });

  it("goes on with the first", async () => {
    expect((await run(branches({ mode: "first" }))).end.output).toEqual({ a: 1 });
  });
});

describe("code", () => {
  it("gives the sandbox its input and limits, and logs what the code printed", async () => {
    const { end, events } = await run(
      single("code", { code: "return json.n", memoryMb: 2, timeoutMs: 50 }),
      { n: 3 },
      {
        runCode: ({ files: _none, ...request }) => ({ ok: true, output: { request }, logs: ["printed"] }),
      },
    );
    expect(end.output).toEqual({
      request: { code: "return json.n", args: { json: { n: 3 } }, timeoutMs: 50, memoryBytes: 2_097_152 },
    });
    expect(events.find((event) => event.type === "log")).toMatchObject({ nodeId: "node", message: "printed" });
  });

  it("sees what its inputs name, and those of an older workflow, where they were its variables", async () => {
    const runCode = ({ args }: CodeRequest) => ({ ok: true as const, output: args, logs: [] });
    const inputs = { all: "{{nodes}}", n: "{{json.n}}" };
    const { end } = await run(single("code", { inputs }), { n: 3 }, { runCode });
    expect(end.output).toEqual({ all: { start: { n: 3 } }, n: 3, json: { n: 3 } });
    expect(code.migrate?.({ code: "return a", variables: { a: 1 } }, 1)).toEqual({
      code: "return a",
      inputs: { a: 1 },
    });
  });

  it("fails with the sandbox's words, or goes on where it is told to", async () => {
    const runCode = () => ({ ok: false as const, error: "x is not defined", logs: [] });
    expect((await run(single("code", {}), {}, { runCode })).end.error?.message).toContain("x is not defined");
    const { end } = await run(single("code", { onError: "continue" }), {}, { runCode });
    expect(end).toMatchObject({ outcome: "completed", output: { error: { code: "tool_error" } } });
  });
});

describe("http-request", () => {
  const answer = (statusCode: number, body: string) => () => ({
    ok: true as const,
    body: {
      success: statusCode < 300,
      statusCode,
      headers: { "content-type": "application/json" },
      body,
      truncated: false,
    },
  });

  it("sends the encoded request and gives the parsed answer", async () => {
    const config = { url: "https://api.test/items/{{json.id}}", method: "POST", body: '{"q": "{{json.q}}"}' };
    const functions = { "execute-http": answer(200, '{"ok":true}') };
    const { end, host } = await run(single("http-request", config), { id: "a/b", q: 'say "hi"' }, { functions });
    expect(end.output).toMatchObject({ status: 200, body: { ok: true }, truncated: false });
    expect(host.functionCalls).toMatchObject([
      {
        name: "execute-http",
        body: {
          url: "https://api.test/items/a%2Fb",
          method: "POST",
          body: '{"q": "say \\"hi\\""}',
          headers: { "content-type": "application/json" },
        },
      },
    ]);
  });

  it("sends the fields of a form, each value encoded", async () => {
    const form = { q: "{{json.q}}", page: "1" };
    const config = { url: "https://api.test/find", method: "POST", bodyType: "form", form, body: "{{json.gone}}" };
    const functions = { "execute-http": answer(200, "{}") };
    const { host } = await run(single("http-request", config), { q: "a&b=c" }, { functions });
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    expect(host.functionCalls).toMatchObject([{ body: { headers, body: "q=a%26b%3Dc&page=1" } }]);
  });

  it("takes a status outside 200–299 as an error unless told otherwise", async () => {
    const functions = { "execute-http": answer(404, "{}") };
    const config = { url: "https://api.test/" };
    expect((await run(single("http-request", config), {}, { functions })).end.error?.message).toContain("404");
    const { end } = await run(single("http-request", { ...config, anyStatus: true }), {}, { functions });
    expect(end.output).toMatchObject({ status: 404 });
  });
});

describe("for-each", () => {
  const each = (config: JsonObject, inner: JsonObject = { fields: { double: "{{json * 2}}" }, keepInput: false }) =>
    flow(
      {
        each: ["for-each", config],
        inner: ["set-fields", inner],
        after: ["set-fields", { fields: { list: "{{json}}" } }],
      },
      ["start>each", "each>inner", "each.done>after"],
    );

  it("runs the branch per item and gives the results in order", async () => {
    const { end, events } = await run(each({ items: "{{json.list}}" }), { list: [1, 2, 3] });
    expect(end.output).toEqual({ list: [{ double: 2 }, { double: 4 }, { double: 6 }] });
    expect(events.filter((event) => event.type === "node-start" && event.nodeId === "inner").length).toBe(3);
  });

  it("gives the list of results as the run's output when nothing follows", async () => {
    const document = flow({ each: ["for-each", {}], inner: "set-fields" }, ["start>each", "each>inner"]);
    expect((await run(document, [{ a: 1 }, { a: 2 }])).end.output).toEqual([{ a: 1 }, { a: 2 }]);
  });

  it("works on no more items at once than allowed", async () => {
    for (const concurrency of [1, 3]) {
      let now = 0;
      let most = 0;
      const document = flow({ each: ["for-each", { concurrency }], inner: ["code", { code: "return 1" }] }, [
        "start>each",
        "each>inner",
      ]);
      await run(document, [1, 2, 3, 4, 5, 6, 7], {
        async runCode() {
          now += 1;
          most = Math.max(most, now);
          await Promise.resolve();
          now -= 1;
          return { ok: true, output: 1, logs: [] };
        },
      });
      expect(most).toBe(concurrency);
    }
  });

  it("stops at a failing item, or keeps its error as its result", async () => {
    const inner = { fields: { half: "{{1 / int(json)}}" }, keepInput: false };
    expect((await run(each({}, inner), [1, 0])).end.error).toMatchObject({ code: "expression_error", nodeId: "inner" });
    const { end } = await run(each({ onItemError: "continue" }, inner), [1, 0]);
    expect(end.output).toMatchObject({ list: [{ half: 1 }, { error: { code: "expression_error" } }] });
  });

  it("refuses what is no list", async () => {
    expect((await run(each({}), { a: 1 })).end.error).toMatchObject({ code: "invalid_config", nodeId: "each" });
  });

  it("nests", async () => {
    const document = flow(
      { rows: "for-each", cells: "for-each", cell: ["set-fields", { fields: { v: "{{json}}" } }] },
      ["start>rows", "rows>cells", "cells>cell"],
    );
    expect((await run(document, [[1, 2], [3]])).end.output).toEqual([[{ v: 1 }, { v: 2 }], [{ v: 3 }]]);
  });
});

describe.each(["sticky-note", "group"])("%s", (type) => {
  it("does not take part in a run", async () => {
    const document = flow({ note: [type, {}] }, []);
    const { end, events } = await run(document, 1);
    expect(end.output).toBe(1);
    expect(events.some((event) => "nodeId" in event && event.nodeId === "note")).toBe(false);
  });
});

describe("repeat", () => {
  const counting = (config: JsonObject) =>
    flow(
      {
        again: ["repeat", config],
        next: ["set-fields", { fields: { n: "{{json.n + 1}}", seen: "{{json.?seen.orValue([]) + [json.n]}}" } }],
        after: ["set-fields", { fields: { sum: "{{nodes.again.done.n}}" }, keepInput: false }],
      },
      ["start>again", "again.main>next", "again.done>after"],
    );

  it("runs the branch with its last result until the condition holds", async () => {
    const { end, events } = await run(counting({ until: "{{json.seen.size() >= 3}}" }), { n: 5 });
    expect(end.output).toEqual({ sum: 8 });
    const turns = events.flatMap((event) => (event.type === "node-end" && event.nodeId === "next" ? [event] : []));
    expect(turns.map(({ item, output }) => [item, output])).toEqual([
      [0, { n: 6, seen: [5] }],
      [1, { n: 7, seen: [5, 6] }],
      [2, { n: 8, seen: [5, 6, 7] }],
    ]);
  });

  it("asks before the first turn where it is told to, and then gives the input on", async () => {
    const config = { until: "{{json.n > 3}}", asked: "before" };
    expect((await run(counting(config), { n: 4 })).end.output).toEqual({ sum: 4 });
    expect((await run(counting(config), { n: 2 })).end.output).toEqual({ sum: 4 });
    expect((await run(counting({ until: "{{json.n > 3}}" }), { n: 4 })).end.output).toEqual({ sum: 5 });
  });

  it("ends after the last turn, with its result or with an error that says so", async () => {
    const never = { until: "{{json.n < 0}}", mostTurns: 2 };
    expect((await run(counting(never), { n: 0 })).end.output).toEqual({ sum: 2 });
    const { end } = await run(counting({ ...never, atLimit: "fail" }), { n: 0 });
    expect(end.error).toMatchObject({
      code: "budget",
      nodeId: "again",
      message: "The condition did not hold after 2 turns.",
      hint: expect.stringContaining("Maximum turns"),
    });
  });

  it("fails where the condition is none, or the branch fails", async () => {
    const { end } = await run(counting({ until: "{{json.n}} apples" }), { n: 0 });
    expect(end.error).toMatchObject({ code: "invalid_config", hint: expect.stringContaining("{{json.count > 3}}") });
    expect((await run(counting({ until: "{{json.n > 3}}" }), { n: "x" })).end.error).toMatchObject({ nodeId: "next" });
  });

  it("nests, and stands in a for-each", async () => {
    const document = flow(
      {
        each: ["for-each", {}],
        again: ["repeat", { until: "{{json > 20}}" }],
        double: ["code", { code: "return json * 2" }],
      },
      ["start>each", "each.main>again", "again.main>double"],
    );
    const runCode = ({ args }: CodeRequest) =>
      Promise.resolve({ ok: true as const, output: Number(args["json"]) * 2, logs: [] });
    expect((await run(document, [1, 9, 30], { runCode })).end.output).toEqual([32, 36, 60]);
  });
});
