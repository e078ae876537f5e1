import { describe, expect, it } from "vitest";
import { z } from "zod/mini";
import { field } from "../config/field.ts";
import { defineNode } from "../document/define-node.ts";
import { out } from "../document/ports.ts";
import { nowhere } from "../document/reach.ts";
import type { Json } from "../json.ts";
import { buildWorkflow } from "../testing/build-workflow.ts";
import { sampleRegistry } from "../testing/sample-nodes.ts";
import { testHost } from "../testing/test-host.ts";
import { openTools } from "./open-tools.ts";
import { emptyRunState, type RunState } from "./run-state.ts";

const closed: string[] = [];

/** A tool that greets with a word of its template and fails when asked to. */
const greeter = defineNode({
  type: "greeter",
  version: 1,
  role: "tool",
  title: "Greeter",
  summary: "For tests.",
  icon: "box",
  config: z.object({
    word: field(z._default(z.string(), "Hello"), { label: "Word", help: "For tests.", template: "text" }),
  }),
  inputs: {},
  outputs: { tool: out("tool") },
  reach: nowhere,
  run({ config, atEnd, node }) {
    atEnd(async () => void closed.push(node.id));
    return {
      tools: [
        {
          name: "greet",
          description: "Greets.",
          parameters: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
          timeoutMs: 1_000,
          approval: "ask" as const,
          preview: ({ name }) => Promise.resolve({ ok: true as const, output: `would greet ${String(name)}` }),
          async execute({ name }, { log, signal }) {
            if (name === "nobody") throw new Error("Nobody is there.");
            if (name === "forever") await new Promise((resolve) => signal.addEventListener("abort", resolve));
            log(`met ${String(name)}`);
            return { ok: true, output: `${config.word}, ${String(name)}` };
          },
        },
      ],
    };
  },
});

const registry = { ...sampleRegistry, greeter };
const signal = new AbortController().signal;

const document = (word: string) =>
  buildWorkflow({
    nodes: { start: ["start"], before: ["step"], agent: ["step"], tool: ["greeter", { word }] },
    edges: ["start.main -> before.main", "before.main -> agent.main", "tool.tool -> agent.tools"],
  });

async function open(word: string, state?: RunState) {
  const host = testHost();
  const events: { type: string }[] = [];
  const result = await openTools(document(word), "tool", {
    registry,
    host,
    signal,
    state,
    onEvent: (event) => events.push(event),
  });
  return { result, events, host };
}

async function call(word: string, input: Record<string, Json>, state?: RunState) {
  const { result, events, host } = await open(word, state);
  if (!result.ok) throw new Error(result.error.message);
  const tool = result.opened.tools[0];
  if (!tool) throw new Error("There is no tool.");
  const tried = await result.opened.call(tool, input, signal);
  return { tried, events, host, opened: result.opened };
}

describe("openTools", () => {
  it("gives the tools as a model would see them and calls one without a run or an approval", async () => {
    const { tried, events, host } = await call("Good day", { name: "Ada" });
    expect(tried).toMatchObject({
      ok: true,
      output: "Good day, Ada",
      text: "Good day, Ada",
      size: 13,
      truncated: false,
    });
    expect(events).toMatchObject([{ type: "log", nodeId: "tool", message: "met Ada" }]);
    expect(host.approvals).toEqual([]);
  });

  it("shows templates the data of a run", async () => {
    const state = emptyRunState("r");
    const idle = { status: "done" as const, active: 0, text: "", uses: 0 };
    state.nodes = {
      agent: { ...idle, input: { word: "Servus" } },
      before: { ...idle, output: { sign: "!" } },
    };
    const { tried } = await call("{{json.word}}{{nodes.before.sign}}", { name: "Ada" }, state);
    expect(tried.output).toBe("Servus!, Ada");
  });

  it("says what a call would do without making it", async () => {
    const { result, events } = await open("Hi");
    const tool = result.ok ? result.opened.tools[0] : undefined;
    if (!result.ok || !tool) throw new Error("There is no tool.");
    const { preview } = result.opened;
    expect(await preview(tool, { name: "Ada" }, signal)).toMatchObject({ ok: true, output: "would greet Ada" });
    expect(await preview(tool, {}, signal)).toMatchObject({ ok: false, text: expect.stringContaining('"name"') });
    const { preview: _none, ...plain } = tool;
    expect(await preview(plain, { name: "Ada" }, signal)).toMatchObject({ ok: false });
    expect(events).toEqual([]);
  });

  it("says what is wrong with arguments, throws and slow tools as a run does", async () => {
    expect((await call("Hi", {})).tried).toMatchObject({ ok: false, text: expect.stringContaining('"name"') });
    expect((await call("Hi", { name: "nobody" })).tried.text).toContain("Nobody is there.");
    expect((await call("Hi", { name: "forever" })).tried.text).toContain("within 1 s");
  });

  it("gives a template's error as data, and refuses nodes without tools", async () => {
    const { result } = await open("{{json.missing}}");
    expect(result).toMatchObject({ ok: false, error: { code: "expression_error", nodeId: "tool" } });
    const host = testHost();
    expect(await openTools(document("x"), "before", { registry, host, signal })).toMatchObject({
      ok: false,
      error: { code: "invalid_config" },
    });
  });

  it("ends what a node has open", async () => {
    const { opened } = await call("Hi", { name: "Ada" });
    closed.length = 0;
    await opened.close();
    expect(closed).toEqual(["tool"]);
  });
});
