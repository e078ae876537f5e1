import { beforeEach, describe, expect, it } from "vitest";
import type { ApprovalDecision } from "../../engine/host.ts";
import type { JsonObject } from "../../engine/json.ts";
import { runAppCall } from "../../engine/run/app-call.ts";
import type { RunEvent } from "../../engine/run/events.ts";
import { EventMask } from "../../engine/run/privacy/event-mask.ts";
import { reduceRunAll } from "../../engine/run/reduce-run.ts";
import { emptyRunState } from "../../engine/run/run-state.ts";
import { buildWorkflow } from "../../engine/testing/build-workflow.ts";
import { realSleep } from "../../engine/testing/real-sleep.ts";
import { runToEnd } from "../../engine/testing/run-to-end.ts";
import { startNode } from "../../engine/testing/sample-nodes.ts";
import { type Script, scriptedModel } from "../../engine/testing/scripted-model.ts";
import { modelNodeOf } from "../../engine/testing/service-node.ts";
import { testHost } from "../../engine/testing/test-host.ts";
import { aiAgent } from "../agent/ai-agent.ts";
import { hostsText } from "./mcp/app-hosts.ts";
import { openMcpSession } from "./mcp/mcp-session.ts";
import { reviewTools } from "./mcp/review-tools.ts";
import { approveTools } from "./mcp/approve-tools.ts";
import { textPin } from "./mcp/tool-pin.ts";
import { serverHash } from "./mcp/server-hash.ts";
import { mcpTool } from "./mcp-tool.ts";

const uri = "ui://shop/board.html";
const schema = { type: "object", properties: { n: { type: "integer" } } };

/** A server with a tool that has an interface, one for interfaces only, and one for models only. */
class Board {
  html = "<p>Board</p>";
  connect: string[] = [];
  uri: string | undefined = uri;
  asked: JsonObject[] = [];
  fails = false;

  private answer(method: string, params: JsonObject): object | undefined {
    const ui = { resourceUri: this.uri };
    const result = (text: string) => ({
      content: [{ type: "text", text }],
      structuredContent: { text },
      _meta: { hidden: "for the interface" },
    });
    switch (method) {
      case "initialize":
        this.asked.push(params);
        return {
          protocolVersion: "2025-06-18",
          capabilities: { tools: {}, resources: {} },
          serverInfo: { name: "board", version: "1" },
        };
      case "tools/list":
        return {
          tools: [
            { name: "show", inputSchema: schema, ...(this.uri === undefined ? {} : { _meta: { ui } }) },
            { name: "move", inputSchema: schema, _meta: { ui: { visibility: ["app"] } } },
            { name: "think", inputSchema: schema, _meta: { ui: { visibility: ["model"] } } },
          ],
        };
      case "resources/read":
        if (this.fails) throw new Error("The connection broke.");
        this.asked.push(params);
        return {
          contents: [
            {
              uri: params["uri"],
              mimeType: "text/html;profile=mcp-app",
              text: this.html,
              _meta: { ui: { csp: { connectDomains: this.connect } } },
            },
          ],
        };
      case "tools/call":
        this.asked.push(params);
        return result(`called ${String(params["name"])}`);
      default:
        return undefined;
    }
  }

  fetch = async (_connection: unknown, init: RequestInit): Promise<Response> => {
    const { id, method, params = {} } = typeof init.body === "string" ? JSON.parse(init.body) : { method: "GET" };
    if (id === undefined) return new Response(null, { status: method === "GET" ? 405 : 202 });
    return Response.json({ jsonrpc: "2.0", id, result: this.answer(method, params) });
  };
}

let board: Board;
const signal = new AbortController().signal;
const never = { approve: (): ApprovalDecision => ({ approved: false, reason: "No." }) };
const hostOf = (more: Parameters<typeof testHost>[0] = {}) =>
  Object.assign(testHost({ mcpFetch: board.fetch, ...more }), { sleep: realSleep, showsApps: true as const });

async function listed() {
  const session = await openMcpSession(hostOf(), { url: "https://board.test/mcp", credential: "" }, signal);
  return session.tools;
}

const currentPins = async () => Object.fromEntries((await listed()).map((tool) => [tool.name, textPin(tool)]));

async function setUp(config: JsonObject, script: Script = []) {
  const model = scriptedModel(script);
  const registry = Object.fromEntries(
    [startNode, aiAgent, mcpTool, modelNodeOf("m", model)].map((node) => [node.type, node]),
  );
  const document = buildWorkflow({
    nodes: {
      start: ["start"],
      agent: ["ai-agent"],
      model: ["m"],
      server: ["mcp-tool", { url: "https://board.test/mcp", serverName: "b", ...config }],
    },
    edges: ["start.main -> agent.main", "model.model -> agent.model", "server.tool -> agent.tools"],
  });
  return { model, registry, document };
}

async function show(config: JsonObject, times = 1) {
  const call = { calls: [{ name: "b__show", arguments: {} }] };
  const script = [...Array.from({ length: times }, () => call), { text: "Done." }];
  const { model, registry, document } = await setUp(config, script);
  const run = await runToEnd(document, { registry, host: hostOf(), input: { message: "Hi" } });
  const offered = model.requests[0]?.tools.map(({ name }) => name) ?? [];
  return { run, offered, shown: run.of("tool-app") };
}

const server = serverHash({ url: "https://board.test/mcp", credential: "" });

async function fromApp(toolName: string, config: JsonObject, more: Parameters<typeof testHost>[0] = {}, input = {}) {
  const { registry, document } = await setUp({ pins: await currentPins(), ...config });
  const host = hostOf(more);
  const events: RunEvent[] = [];
  const answer = await runAppCall(
    document,
    { uri, server, nodeId: "agent", toolNodeId: "server", toolName, input, ofRun: "run-1" },
    { runId: "run-2", registry, host, signal, onEvent: (event) => events.push(event) },
  );
  return { answer, events, host, types: events.map(({ type }) => type) };
}

describe("the interface of an MCP tool", () => {
  beforeEach(() => {
    board = new Board();
  });

  it("is logged with the result as the server gave it, once a run, and models see nothing of it", async () => {
    const { run, offered, shown } = await show({ pins: await currentPins() }, 2);
    expect(offered).toEqual(["b__show", "b__think"]);
    expect(shown).toMatchObject([
      {
        toolNodeId: "server",
        app: { uri, html: "<p>Board</p>", hosts: { connect: [], resource: [] }, refusedHosts: [] },
        output: { structuredContent: { text: "called show" }, _meta: { hidden: "for the interface" } },
      },
      { app: { sha256: shown[0]?.app.sha256 } },
    ]);
    expect(shown[1]?.app).not.toHaveProperty("html");
    expect(JSON.stringify(run.of("model-request"))).not.toContain("for the interface");
    const state = reduceRunAll(emptyRunState(run.end.runId), run.events);
    const steps = state.steps.filter((step) => step.kind === "tool");
    expect(steps.map((step) => state.apps?.[step.shown?.app.sha256 ?? ""])).toEqual(["<p>Board</p>", "<p>Board</p>"]);
    expect(board.asked[0]).toMatchObject({
      capabilities: {
        extensions: { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } },
      },
    });
  });

  it("S50 reaches the hosts that were accepted, and none once it asks for others", async () => {
    board.connect = ["https://api.test", "https://*"];
    const pins = await currentPins();
    const [first] = (await show({ pins })).shown;
    expect(first?.app).toMatchObject({ hosts: { connect: [] }, refusedHosts: ["https://api.test"] });
    const accepted = { [uri]: hostsText({ connect: ["https://api.test"], resource: [] }) };
    const [second] = (await show({ pins, appHosts: accepted })).shown;
    expect(second?.app).toMatchObject({ hosts: { connect: ["https://api.test"] }, refusedHosts: [] });
    board.connect = ["https://api.test", "https://evil.test"];
    const [third] = (await show({ pins, appHosts: accepted })).shown;
    expect(third?.app).toMatchObject({
      hosts: { connect: [] },
      refusedHosts: ["https://api.test", "https://evil.test"],
    });
  });

  it("S50 is held back with its tool when it moves, and not shown where the tool was approved without it", async () => {
    board.uri = undefined;
    const before = await currentPins();
    board.uri = uri;
    const old = await show({ pins: before });
    expect(old.offered).toContain("b__show");
    expect(old.shown).toEqual([]);
    expect(board.asked.filter((params) => "uri" in params)).toEqual([]);

    // Approving another tool does not approve the interface as well.
    const settings = { serverName: "b", include: [], exclude: [] };
    const reviewed = reviewTools(await listed(), { ...settings, pins: before });
    const pins = approveTools(before, reviewed, reviewed.slice(2));
    expect(reviewTools(await listed(), { ...settings, pins })[0]).toMatchObject({
      approval: "approved",
      appApproved: false,
    });

    const now = await currentPins();
    board.uri = "ui://shop/other.html";
    const moved = await show({ pins: now });
    expect(moved.offered).not.toContain("b__show");
    expect(reviewTools(await listed(), { ...settings, pins: now })[0]).toMatchObject({
      approval: "changed",
      agreed: { app: { uri } },
    });
  });

  it("is left out with a word in the log where it is too large, is none, or is switched off", async () => {
    const pins = await currentPins();
    expect((await show({ pins, showApps: false })).shown).toEqual([]);
    board.html = "x".repeat(2_000_001);
    const { run, shown } = await show({ pins });
    expect(shown).toEqual([]);
    expect(run.of("log")[0]?.message).toContain("has 2,000,001 characters. At most 2,000,000 are shown.");
    expect(run.of("tool-call-end")[0]).toMatchObject({ ok: true });
  });
});

describe("an interface that cannot be shown", () => {
  beforeEach(() => {
    board = new Board();
  });

  it("leaves the result of its call as it is", async () => {
    const pins = await currentPins();
    board.fails = true;
    const { run, shown } = await show({ pins });
    expect(shown).toEqual([]);
    expect(run.of("tool-call-end")[0]).toMatchObject({ ok: true });
  });

  it("is not read where the host shows none", async () => {
    const pins = await currentPins();
    const { registry, document } = await setUp({ pins }, [
      { calls: [{ name: "b__show", arguments: {} }] },
      { text: "" },
    ]);
    const host = Object.assign(testHost({ mcpFetch: board.fetch }), { sleep: realSleep });
    const run = await runToEnd(document, { registry, host, input: { message: "Hi" } });
    expect(run.of("tool-app")).toEqual([]);
    expect(board.asked.filter((params) => "uri" in params)).toEqual([]);
  });

  it("is not stored where the workflow masks", async () => {
    const { shown } = await show({ pins: await currentPins() });
    const [stored] = shown.flatMap((event) => new EventMask({ mask: ["emails"], patterns: [] }).take(event));
    expect(stored).toMatchObject({ type: "tool-app", app: { sha256: shown[0]?.app.sha256 } });
    expect(JSON.stringify(stored)).not.toContain("<p>");
  });
});

describe("a call from an interface", () => {
  beforeEach(() => {
    board = new Board();
  });

  it("S99 is asked for, made and logged as a run of its own", async () => {
    const { answer, types, host, events } = await fromApp("move", {}, {}, { n: 2 });
    expect(host.approvals).toMatchObject([
      { toolNodeId: "server", toolName: "move", input: { n: 2 }, untrusted: [`the interface ${uri}`] },
    ]);
    expect(answer).toMatchObject({ ok: true, output: { structuredContent: { text: "called move" } } });
    expect(types).toEqual([
      "run-start",
      "tool-call-start",
      "approval-wait",
      "approval-end",
      "write-start",
      "tool-call-end",
      "run-end",
    ]);
    expect(events[0]).toMatchObject({ input: { interface: uri, tool: "move", arguments: { n: 2 }, run: "run-1" } });
  });

  it("S99 is not made where a person refuses, and asks nobody where the tool never asks", async () => {
    const refused = await fromApp("move", {}, never);
    expect(refused.answer).toEqual({ ok: false, message: "A person refused this call. No." });
    expect(refused.events.find(({ type }) => type === "tool-call-end")).toMatchObject({ ok: false, rejected: true });
    expect(board.asked.filter((params) => params["name"] === "move")).toEqual([]);
    const free = await fromApp("move", { approval: "never" }, never);
    expect(free.answer.ok).toBe(true);
  });

  it.each([
    ["a tool for models only", "think", {}],
    ["a tool that is not there", "b__show", {}],
    ["another server's tool", "other__delete", {}],
    ["arguments that do not fit", "move", { n: "two" }],
  ])("S99 is refused for %s", async (_what, toolName, input) => {
    const { answer, host, types } = await fromApp(toolName, {}, {}, input);
    expect(answer.ok).toBe(false);
    expect(host.approvals).toEqual([]);
    expect(types.slice(-2)).toEqual(["tool-call-end", "run-end"]);
    expect(board.asked.filter((params) => "name" in params)).toEqual([]);
  });

  it.each<JsonObject>([{ url: "https://other.test/mcp" }, { credential: "another" }])(
    "S99 is refused once the node has another server or credential: %j",
    async (changed) => {
      const { answer, host } = await fromApp("move", changed);
      expect(answer).toMatchObject({ ok: false, message: expect.stringContaining("was changed since") });
      expect(host.approvals).toEqual([]);
      expect(board.asked.filter((params) => "name" in params)).toEqual([]);
    },
  );

  it("S99 is refused for a tool that nobody approved, and where interfaces are switched off", async () => {
    const pins = await currentPins();
    const { move: _move, ...others } = pins;
    expect((await fromApp("move", { pins: others })).answer.ok).toBe(false);
    expect((await fromApp("move", { showApps: false })).answer.ok).toBe(false);
  });
});
