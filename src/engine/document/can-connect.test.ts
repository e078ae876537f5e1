import { describe, expect, it } from "vitest";
import { sampleDocument, sampleRegistry } from "../testing/sample-nodes.ts";
import { canConnect } from "./can-connect.ts";

const end = (text: string) => {
  const [node = "", port = "main"] = text.split(".");
  return { node, port };
};

const document = sampleDocument(
  {
    start: "start",
    a: "step",
    b: "step",
    join: "join",
    agent: "agent",
    helper: "agent",
    model: "test-model",
    memory: "test-memory",
    second: "test-memory",
    tool: "test-tool",
    odd: "from-the-future",
  },
  ["start>a", "a>b", "memory.memory>agent.memory", "helper.tool>agent.tools"],
);

const reasonFor = (from: string, to: string) => {
  const result = canConnect(document, sampleRegistry, end(from), end(to));
  return result.ok ? "" : result.reason;
};

describe("canConnect", () => {
  it("joins equal kinds with room on both sides", () => {
    expect(reasonFor("b", "join")).toBe("");
    expect(reasonFor("model.model", "agent.model")).toBe("");
    expect(reasonFor("tool.tool", "agent.tools")).toBe("");
  });

  it("refuses other kinds and says what each side takes", () => {
    expect(reasonFor("model.model", "agent.tools")).toContain("output is a model");
    expect(reasonFor("start", "agent.model")).toContain("takes a model");
  });

  it("refuses a second memory with the words a user reads", () => {
    expect(reasonFor("second.memory", "agent.memory")).toBe('"agent" already has a memory. Remove it first.');
  });

  it("refuses a second main input and names the way out", () => {
    expect(reasonFor("start", "b")).toContain("merge");
  });

  it("refuses itself, duplicates, unknown ports, unknown nodes and unknown types", () => {
    expect(reasonFor("a", "a")).toContain("itself");
    expect(reasonFor("start", "a")).toContain("already connected");
    expect(reasonFor("a.constructor", "join")).toContain("no output");
    expect(reasonFor("a", "join.__proto__")).toContain("no input");
    expect(reasonFor("a", "nowhere")).toContain("does not exist");
    expect(reasonFor("odd", "join")).toContain("from-the-future");
  });

  it("refuses a loop on main", () => {
    const loop = sampleDocument({ one: "step", two: "join" }, ["one>two"]);
    const other = sampleDocument({ one: "join", two: "step", three: "step" }, ["one>two", "two>three"]);
    expect(canConnect(loop, sampleRegistry, end("two"), end("one"))).toMatchObject({ ok: false });
    const result = canConnect(other, sampleRegistry, end("three"), end("one"));
    expect(result.ok ? "" : result.reason).toContain("loop");
  });

  it("refuses an agent that would become its own tool", () => {
    expect(reasonFor("agent.tool", "helper.tools")).toContain("tool of itself");
  });
});
