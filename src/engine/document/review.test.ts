import { describe, expect, it } from "vitest";
import { z } from "zod/mini";
import { nodeRegistry, nodeTypes } from "../../nodes/index.ts";
import { openTools } from "../run/open-tools.ts";
import { runToEnd } from "../testing/run-to-end.ts";
import { testHost } from "../testing/test-host.ts";
import { newDocument, newNode } from "./new-document.ts";
import { readDocument } from "./read-document.ts";
import { defineNode } from "./define-node.ts";
import { out } from "./ports.ts";
import { exposureOf } from "./exposure.ts";
import { leavesStudio, outreachOf } from "./outreach.ts";
import { awaitingReview, markForReview } from "./review.ts";
import { validateWorkflow } from "./validate.ts";
import type { WorkflowDocument } from "./workflow-document.ts";

function imported(...types: string[]): WorkflowDocument {
  const document = newDocument("w", "Imported");
  for (const type of types) {
    const definition = nodeRegistry[type];
    if (!definition) throw new Error(`There is no ${type}.`);
    document.nodes[type] = newNode(definition, { id: type, position: { x: 0, y: 0 } });
  }
  document.nodes = markForReview(document.nodes, nodeRegistry);
  return document;
}

describe("imported nodes", () => {
  it("S33 wait for a person when they reach out or run code", () => {
    const marked = imported(...nodeTypes.map(({ type }) => type)).nodes;
    const waiting = Object.values(marked).flatMap(({ type, unreviewed }) => (unreviewed ? [type] : []));
    for (const type of ["http-request", "http-request-tool", "mcp-tool", "code", "code-tool", "redis-memory"])
      expect(waiting, type).toContain(type);
    for (const type of nodeTypes.map((each) => each.type).filter((name) => name.startsWith("postgres-")))
      expect(waiting, type).toContain(type);
    for (const type of [
      "ai-agent",
      "chat-trigger",
      "demo-model",
      "openai-model",
      "calculator-tool",
      "set-fields",
      "if",
    ])
      expect(waiting, type).not.toContain(type);
  });

  it("S33 are held for what they declare alone, so a new tool that sends requests is held as well", () => {
    const weather = defineNode({
      type: "weather-tool",
      version: 1,
      role: "tool",
      title: "Weather",
      summary: "For tests.",
      icon: "box",
      config: z.object({ url: z._default(z.string(), "https://weather.example/") }),
      inputs: {},
      outputs: { tool: out("tool") },
      reach: [{ to: "host", url: "url" }],
      run: () => ({ tools: [] }),
    });
    const registry = { [weather.type]: weather };
    const node = newNode(weather, { id: "w", position: { x: 0, y: 0 } });
    const document = { nodes: markForReview({ w: node }, registry) };
    expect(awaitingReview(document, registry)).toMatchObject([
      { node: { unreviewed: true }, outreach: "sends GET requests to weather.example/" },
    ]);
    expect(exposureOf(weather, node.config)).toEqual(["untrusted-input"]);
    expect(leavesStudio(weather)).toBe(true);
  });

  it("S33 say what they would contact", () => {
    const document = imported("http-request");
    const request = document.nodes["http-request"];
    if (!request) throw new Error("There is no request.");
    request.config = { ...request.config, method: "POST", url: "https://collect.example/drop" };
    expect(awaitingReview(document, nodeRegistry)).toMatchObject([
      { outreach: "sends POST requests to collect.example/drop" },
    ]);
  });

  it("S33 are not run, and nothing is asked of the world, until they are reviewed", async () => {
    const document = imported("manual-trigger", "http-request");
    const request = document.nodes["http-request"];
    if (!request) throw new Error("There is no request.");
    request.config = { ...request.config, url: "https://collect.example/drop" };
    document.edges["e"] = {
      id: "e",
      from: { node: "manual-trigger", port: "main" },
      to: { node: "http-request", port: "main" },
    };
    const host = testHost();
    const refused = await runToEnd(document, { registry: nodeRegistry, host, input: {} });
    expect(refused.end).toMatchObject({ outcome: "failed", error: { code: "invalid_config", nodeId: "http-request" } });
    expect(refused.end.error?.message).toContain("waits for your review");
    expect(host.functionCalls).toEqual([]);
    delete request.unreviewed;
    await runToEnd(document, { registry: nodeRegistry, host, input: {} });
    expect(host.functionCalls).toHaveLength(1);
  });

  it("S33 cannot be tried out either, nor an agent that has one as its tool", async () => {
    const document = imported("ai-agent", "demo-model", "code-tool");
    const wire = (from: string, output: string, port: string) => ({
      id: port,
      from: { node: from, port: output },
      to: { node: "ai-agent", port },
    });
    document.edges = { model: wire("demo-model", "model", "model"), tools: wire("code-tool", "tool", "tools") };
    for (const id of ["code-tool", "ai-agent"]) {
      const options = { registry: nodeRegistry, host: testHost(), signal: new AbortController().signal };
      const opened = await openTools(document, id, options);
      expect(opened).toMatchObject({ ok: false, error: { nodeId: "code-tool" } });
    }
  });

  it("keep their mark when they are stored, and one that the file claims for another is dropped", () => {
    const document = imported("code", "set-fields");
    expect(readDocument(JSON.parse(JSON.stringify(document)), nodeRegistry)).toMatchObject({ ok: true, document });
    const [fields] = Object.values(imported("set-fields").nodes);
    const claimed = fields && markForReview({ fields: { ...fields, unreviewed: true } }, nodeRegistry);
    expect(claimed?.["fields"]?.unreviewed).toBeUndefined();
  });

  it("S100 let callers fill in nothing, whatever the file says; what a person chose is kept when it is stored", () => {
    const document = imported("code-tool");
    const node = document.nodes["code-tool"];
    if (node) node.callers = { send: { definition: "d", arguments: ["to"] } };
    expect(readDocument(JSON.parse(JSON.stringify(document)), nodeRegistry)).toMatchObject({ ok: true, document });
    expect(markForReview(document.nodes, nodeRegistry)["code-tool"]).not.toHaveProperty("callers");
  });

  it("are judged only where they are on", () => {
    const document = imported("code");
    const found = () => validateWorkflow(document, nodeRegistry).filter(({ message }) => message.includes("review"));
    expect(found()).toHaveLength(1);
    if (document.nodes["code"]) document.nodes["code"].disabled = true;
    expect(found()).toEqual([]);
  });

  it.each(nodeTypes.map((definition) => [definition.type, definition] as const))(
    "%s says what it does as the end of a sentence",
    (_type, definition) => {
      const outreach = outreachOf(definition, newNode(definition, { id: "n", position: { x: 0, y: 0 } }));
      expect(outreach === undefined || /^[a-z].*[^.\s]$/.test(outreach)).toBe(true);
    },
  );
});
