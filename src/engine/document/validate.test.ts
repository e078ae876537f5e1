import { describe, expect, it } from "vitest";
import { sampleDocument, sampleRegistry } from "../testing/sample-nodes.ts";
import { validateWorkflow } from "./validate.ts";
import type { WorkflowDocument } from "./workflow-document.ts";

const problemsOf = (document: WorkflowDocument) => validateWorkflow(document, sampleRegistry);
const messages = (document: WorkflowDocument) => problemsOf(document).map((problem) => problem.message);

const good = () =>
  sampleDocument({ start: "start", agent: "agent", model: "test-model", memory: "test-memory", tool: "test-tool" }, [
    "start>agent",
    "model.model>agent.model",
    "memory.memory>agent.memory",
    "tool.tool>agent.tools",
  ]);

describe("validateWorkflow", () => {
  it("finds nothing wrong with a complete workflow", () => {
    expect(problemsOf(good())).toEqual([]);
  });

  it("reports a missing model on the agent, with a hint", () => {
    const document = sampleDocument({ start: "start", agent: "agent" }, ["start>agent"]);
    expect(problemsOf(document)).toMatchObject([
      { nodeId: "agent", severity: "error", code: "missing_connection", message: '"agent" needs a model.' },
    ]);
  });

  it("says when the model is there but turned off", () => {
    const document = good();
    if (document.nodes.model) document.nodes.model.disabled = true;
    expect(messages(document)).toEqual(['The model of "agent" is turned off.']);
  });

  it("reports required fields, bad values and broken templates at the field", () => {
    const document = sampleDocument(
      {
        start: "start",
        step: ["step", { pause: -1, fail: "{{json.x +}}", onError: "explode" }],
        agent: ["agent", { message: " " }],
        model: "test-model",
      },
      ["start>step", "step>agent", "model.model>agent.model"],
    );
    expect(problemsOf(document).map(({ nodeId, field, code }) => [nodeId, field, code])).toEqual([
      ["step", "fail", "expression_error"],
      ["step", "pause", "invalid_config"],
      ["step", "onError", "invalid_config"],
      ["agent", "message", "invalid_config"],
    ]);
    expect(messages(document)[0]).toContain("character 11");
  });

  it("leaves a field with a template to the run", () => {
    const document = sampleDocument({ start: "start", fork: ["fork", { test: "{{json.ok}}" }] }, ["start>fork"]);
    expect(problemsOf(document)).toEqual([]);
  });

  it("reports two memories, two tools of one name and agents below themselves", () => {
    const document = good();
    const more = sampleDocument({ m2: "test-memory", t2: "test-tool", helper: ["agent", {}] }, []);
    Object.assign(document.nodes, more.nodes);
    const join = (id: string, from: [string, string], to: [string, string]) => {
      document.edges[id] = { id, from: { node: from[0], port: from[1] }, to: { node: to[0], port: to[1] } };
    };
    join("x1", ["m2", "memory"], ["agent", "memory"]);
    join("x2", ["t2", "tool"], ["agent", "tools"]);
    join("x3", ["helper", "tool"], ["agent", "tools"]);
    join("x4", ["agent", "tool"], ["helper", "tools"]);
    join("x5", ["model", "model"], ["helper", "model"]);
    const found = messages(document).join("\n");
    expect(found).toContain("already has a memory");
    expect(found).toContain('two tools named "search": "tool" and "t2"');
    expect(found).toContain("tools of themselves");
  });

  it("reports loops on main, edges that do not fit and unknown types", () => {
    const document = sampleDocument({ start: "start", a: "join", b: "step", odd: "teleport" }, [
      "start>a",
      "a>b",
      "b>a",
      "start>b.nowhere",
      "b>odd",
    ]);
    const found = messages(document).join("\n");
    expect(found).toContain('form a loop: "a" → "b"');
    expect(found).toContain('no input named "nowhere"');
    expect(found).toContain('the type "teleport"');
  });

  it("reports a workflow without a trigger", () => {
    expect(messages(sampleDocument({ step: "step" }, [])).join()).toContain("no trigger");
  });

  it("warns about nodes that no trigger reaches and services that nobody uses", () => {
    const document = sampleDocument({ start: "start", alone: "step", next: "step", memory: "test-memory" }, [
      "alone>next",
    ]);
    expect(problemsOf(document).map(({ nodeId, severity }) => [nodeId, severity])).toEqual([
      ["memory", "warning"],
      ["alone", "warning"],
      ["next", "warning"],
    ]);
  });

  it("refuses agents nested deeper than five", () => {
    const ids = ["a0", "a1", "a2", "a3", "a4", "a5", "a6"];
    const agents = Object.fromEntries(ids.map((id) => [id, "agent"]));
    const document = (deepest: number) =>
      sampleDocument({ start: "start", model: "test-model", ...agents }, [
        "start>a0",
        ...ids.map((id) => `model.model>${id}.model`),
        ...ids.slice(1, deepest + 1).map((id, index) => `${id}.tool>a${index}.tools`),
      ]);
    expect(messages(document(5)).filter((message) => message.includes("deep"))).toEqual([]);
    expect(messages(document(6)).join()).toContain("6 deep");
  });

  it("refuses a node that runs per item and also follows a node outside the branch", () => {
    const document = sampleDocument({ start: "start", each: "each", inner: "step", join: "join", side: "step" }, [
      "start>each",
      "start>side",
      "each>inner",
      "inner>join",
      "side>join",
    ]);
    expect(problemsOf(document)).toMatchObject([{ nodeId: "join", edgeId: "e4", severity: "error" }]);
    const { e4, ...edges } = document.edges;
    expect(e4?.from.node).toBe("side");
    expect(problemsOf({ ...document, edges })).toEqual([]);
  });

  it("refuses ai(…) outside tools and one name with two types", () => {
    const document = good();
    if (document.nodes.agent) document.nodes.agent.config = { message: '{{ai("a","b","string")}}' };
    if (document.nodes.tool) {
      document.nodes.tool.config.query = '{{ai("a","b","string")}} {{ai("a","b","number")}}';
    }
    const found = messages(document).join("\n");
    expect(found).toContain("cannot hold ai");
    expect(found).toContain("two types");
  });

  it("reports a default of ai(…) that cannot be worked out, before a model leaves it out", () => {
    const document = sampleDocument(
      {
        start: "start",
        before: ["step", {}],
        agent: "agent",
        model: "test-model",
        tool: "test-tool",
        later: ["step", {}],
      },
      ["start>before", "before>agent", "agent>later", "model.model>agent.model", "tool.tool>agent.tools"],
    );
    const found = (otherwise: string) => {
      if (document.nodes.tool) document.nodes.tool.config.query = `{{ai("a","b","string",${otherwise})}}`;
      return problemsOf(document).map(
        ({ severity, field, message, hint }) => `${severity} ${field}: ${message} ${hint}`,
      );
    };
    for (const fine of [
      '"Oslo"',
      '"{{json.city}}"',
      "json.city",
      '"{{before.x}}"',
      "nodes.start.x",
      "vars.city",
      "workflow.name",
      "json.list.map(x, x.id)",
      'has(json.city) ? json.city : "Oslo"',
      "string(now)",
    ])
      expect([fine, found(fine)]).toEqual([fine, []]);
    expect(found('"In {{jsn.city}}"')[0]).toMatch(
      /^error query: .*default of ai\("a"\).*"jsn" does not exist\. Did you mean "json"\?/,
    );
    expect(found("jsn.city + 1")[0]).toContain('"jsn" does not exist');
    expect(found("later.x")[0]).toContain('"later" does not run before the agent');
    expect(found("nodes.later.x")[0]).toContain('"later" does not run before the agent');
    expect(found('"{{nodes.befor.x}}"')[0]).toContain('Did you mean "before"?');
    expect(found("workflow.title")[0]).toContain('"workflow.title" does not exist');
  });
});
