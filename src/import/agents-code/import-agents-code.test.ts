import { describe, expect, it } from "vitest";
import { nodeRegistry } from "../../nodes/index.ts";
import { validateWorkflow } from "../../engine/document/validate.ts";
import { runToEnd } from "../../engine/testing/run-to-end.ts";
import { testHost } from "../../engine/testing/test-host.ts";
import { importForeign } from "../index.ts";
import { agentBuilderCode } from "../testing/agents-code.ts";
import { readImported } from "../testing/read-imported.ts";

const read = (source: string) => readImported(source, nodeRegistry);
const head = `import { Agent, run, tool, Runner } from "@openai/agents";\nimport { z } from "zod";\n`;

/** What is wrong besides what a person has to choose. */
function wrong(source: string) {
  return validateWorkflow(read(source).document, nodeRegistry)
    .filter(({ severity, code }) => severity === "error" && code !== "invalid_credentials")
    .filter(({ message }) => !message.includes("waits for your review") && message !== "Collection is required.")
    .filter(({ message }) => message !== "No tool of the MCP server is approved.");
}

describe("code of the Agent Builder", () => {
  const { document, report, node, edges, entry, format } = read(agentBuilderCode);

  it("becomes agents in order, with conditions, state and answers", () => {
    expect(format).toBe("agent-builder");
    expect(document.name).toBe("Shop desk");
    expect(edges).toContain("Start.main > Classify.main");
    expect(edges).toContain("Classify.main > Set mood.main");
    expect(edges).toContain("If.true > Orders.main");
    expect(edges).toContain("If.false > If refund.main");
    expect(node("If refund")?.config.condition).toContain("nodes.?classify.?response");
    expect(report.edges.reported + report.edges.mapped).toBe(report.edges.total);
    expect(report.expressions.unsupported).toBe(0);
    expect(wrong(agentBuilderCode)).toEqual([]);
  });

  it("keeps instructions, models and zod schemas", () => {
    expect(node("Classify")?.config).toMatchObject({
      systemPrompt: 'Say what the message is about. {{"{{"}}plain}}',
      outputFormat: "json",
      outputSchema: {
        type: "object",
        properties: {
          kind: { type: "string", enum: ["order", "other"] },
          tags: { type: "array", items: { type: "string" } },
          note: { type: ["string", "null"] },
        },
        required: ["kind", "tags", "note"],
      },
    });
    expect(node("gpt-4.1-mini")).toMatchObject({
      type: "openai-model",
      config: { temperature: 0.5, topP: 0.9, maxTokens: 2048 },
    });
    expect(node("gpt-5")?.config).toMatchObject({ reasoningEffort: "low" });
    expect(node("Orders")?.config.systemPrompt).toMatch(/^Be \{\{.*set_mood.*\}\}\. The request: \{\{.*message.*\}\}$/);
  });

  it("makes tools: MCP, files, functions with what they use, and agents", () => {
    expect(node("shop")).toMatchObject({
      type: "mcp-tool",
      config: { url: "https://mcp.example.com/sse", include: ["find_order", "cancel_order"], approval: "ask" },
    });
    expect(node("File search")).toMatchObject({ type: "knowledge-base-tool", config: { topK: 4 } });
    expect(node("convert")).toMatchObject({
      type: "code-tool",
      config: {
        approval: "ask",
        parameters: { properties: { amount: { type: "number", description: "How much" } }, required: ["amount"] },
      },
    });
    expect(String(node("convert")?.config.code)).toContain("const rates = { EUR: 1, USD: 2 };");
    expect(String(node("convert")?.config.code)).not.toMatch(/: (number|string)\b/);
    expect(node("lookup")).toMatchObject({ type: "placeholder-tool" });
    expect(edges).toContain("FAQ.tool > Orders.tools");
    expect(node("FAQ")?.config).toMatchObject({
      toolDescription: "Knows the answers.",
      userMessage: "{{json.message}}",
    });
  });

  it("S87 takes tokens out, and lets nobody past an approval that nobody gives", () => {
    expect(JSON.stringify(document)).not.toContain("test-key-aaaa");
    expect(report.entries).toContainEqual(expect.objectContaining({ about: "credential", node: "Orders" }));
    expect(entry("Approval")).toMatchObject({ outcome: "mapped", targetType: "approval" });
    expect(edges).toContain("Approval.approved > Answer 2.main");
    expect(edges).toContain("Approval.declined > Answer 3.main");
  });
});

describe("code of the Agents SDK", () => {
  it("runs that start together, loops over lists, and functions that are called", () => {
    const { edges, node } = read(`${head}
const a = new Agent({ name: "A", instructions: "x" });
const b = new Agent({ name: "B", instructions: ["one", "two"].join(" ") });
async function check(text: string) { return await run(b, \`Check \${text}\`); }
async function main(input: string) {
  const [one, two] = await Promise.all([run(a, input), run(a, "again")]);
  for (const part of ["x", "y"]) { await run(b, part); }
  const checked = await check(one.finalOutput + " " + two.finalOutput);
  console.log(checked.finalOutput);
}
main("hello");`);
    expect(edges).toContain("Start.main > A.main");
    expect(edges).toContain("Start.main > A 2.main");
    expect(edges).toContain("Each part.main > Item part.main");
    expect(edges).toContain("Each part.done > B 2.main");
    expect(node("B 2")?.config.userMessage).toMatch(
      /^Check \{\{.*nodes\.\?a\.\?response.*nodes\.\?a_2\.\?response.*\}\}$/,
    );
    expect(node("B")?.config.systemPrompt).toBe("one two");
  });

  it("agents as tools and handoffs that lead back", () => {
    const { edges, report, node } = read(`${head}
const helper = new Agent({ name: "Helper", instructions: "h" });
const second = Agent.create({ name: "Second", instructions: () => "s" });
const boss = new Agent({ name: "Boss", tools: [helper.asTool({ toolName: "ask_helper", toolDescription: "Helps" })], handoffs: [second] });
second.handoffs = [boss];
await run(boss, "Go");`);
    expect(edges).toEqual(expect.arrayContaining(["Helper.tool > Boss.tools", "Second.tool > Boss.tools"]));
    expect(node("Helper")?.config).toMatchObject({ toolName: "ask_helper", toolDescription: "Helps" });
    expect(node("Boss")?.config.userMessage).toBe("Go");
    expect(report.nodes.placeholder).toBe(0);
  });

  it("a loop that ends by a condition repeats; guardrails lead two ways", () => {
    const { node, edges } = read(`${head}
import { runAndApplyGuardrails } from "./guard";
const config = { guardrails: [{ name: "Jailbreak", config: {} }, { name: "Contains PII", config: {} }] };
const a = new Agent({ name: "A", instructions: "x" });
export const runWorkflow = async (workflow: { input_as_text: string }) => {
  const { hasTripwire, failOutput } = await runAndApplyGuardrails(workflow.input_as_text, config, [], workflow);
  if (hasTripwire) { return { message: "no" }; } else {
    let tries = 0;
    while (tries < 3) { await run(a, workflow.input_as_text); tries += 1; }
  }
};`);
    expect(node("Guardrails")).toMatchObject({ type: "guardrails", config: { jailbreak: true, pii: "fail" } });
    expect(edges).toContain("Guardrails.fail > Answer.main");
    expect(edges).toContain("Guardrails.pass > Before the loop.main");
    expect(edges).toContain("Before the loop.main > Loop.main");
    expect(node("Loop")).toMatchObject({
      type: "repeat",
      config: { until: expect.stringContaining("json.?tries"), asked: "before", mostTurns: 100 },
    });
  });

  it("a loop that ends by the state runs turn by turn", async () => {
    const { document, report } = read(`${head}
const a = new Agent({ name: "A", instructions: "x" });
export const runWorkflow = async (workflow: { input_as_text: string }) => {
  const state = { count: 1, words: "go" };
  while (state.count < 20) {
    if (state.count > 5) { state.count = state.count * 3; } else { state.count += 2; }
    state.words = state.words + "!";
    if (state.count < 0) { await run(a, workflow.input_as_text); }
  }
  return { count: state.count, words: state.words };
};`);
    expect(report.nodes.placeholder).toBe(0);
    // The agent is not reached, so any credential does.
    for (const one of Object.values(document.nodes)) if (one.type === "openai-model") one.config.credential = "key-1";
    const { end } = await runToEnd(document, { registry: nodeRegistry, host: testHost(), input: { message: "hi" } });
    expect(end.error).toBeUndefined();
    expect(end.output).toEqual({ count: 21, words: "go!!!!" });
  });

  it.each([
    ["left early", "let n = 0; while (n < 3) { await run(a, x); n++; if (n > 1) break; }"],
    ["about what an agent gave", "let r = await run(a, x); while (!r.finalOutput) { r = await run(a, x); }"],
  ])("a loop that is %s is a placeholder with its source", (_, loop) => {
    const { node } = read(`${head}
const a = new Agent({ name: "A", instructions: "x" });
export const runWorkflow = async (workflow: { input_as_text: string }) => { const x = "hi"; ${loop} };`);
    expect(node("Loop")).toMatchObject({
      type: "placeholder",
      config: { settings: { source: expect.stringContaining("while (") } },
    });
  });

  it.each([
    ["no agent at all", `${head}console.log(1);`],
    ["broken", `${head}const a = new Agent({ name: `],
    ["deep", `${head}const a = new Agent({ name: ${"(".repeat(5_000)}1${")".repeat(5_000)} });`],
  ])("says in words what is wrong: %s", (_, source) => {
    const made = importForeign(source, { registry: nodeRegistry, newId: () => "id" });
    expect(made).toMatchObject({ ok: false, format: "agent-builder", problem: expect.stringMatching(/code/i) });
  });

  it("runs nothing of what it reads, whatever is named like a prototype", () => {
    const source = `${head}
globalThis.hacked = true;
const constructor = new Agent({ name: "__proto__", instructions: "x", outputType: z.object({ constructor: z.string() }) });
await run(constructor, "x");`;
    const { document } = read(source);
    expect(Object.values(document.nodes).some(({ title }) => title === "__proto__")).toBe(true);
    expect("hacked" in globalThis).toBe(false);
  });
});

describe("code that has no step of its own", () => {
  const agents = `${head}
const a = new Agent({ name: "A", instructions: "x" });
const b = new Agent({ name: "B", instructions: "y" });
`;
  const main = (body: string) =>
    read(
      `${agents}async function main(input: string) {\nconst workflow = { approved: false, n: 0 };\n${body}\n}\nmain("x");`,
    );

  it("stops where a check throws, and goes on with what stands in its else", () => {
    const { edges, node } = main(`if (!workflow.approved) throw new Error("Not approved");
else await run(b, input);
await run(a, input);`);
    expect(edges).toContain("If.true > Stop.main");
    expect(edges).toContain("If.false > B.main");
    expect(edges).toContain("B.main > A.main");
    expect(node("Stop")?.config).toMatchObject({ message: "Not approved" });
  });

  it("drops only checks of what an agent gave", () => {
    const { edges } = main(`const one = await run(a, input);
if (!one.finalOutput) throw new Error("None"); else await run(b, input);
const { finalOutput } = await run(a, input);
if (!finalOutput) { throw new Error("None"); }
if (!one.other) throw new Error("Odd");`);
    expect(edges).toContain("A.main > B.main");
    expect(edges.filter((edge) => edge.endsWith("> Stop.main"))).toEqual(["If.true > Stop.main"]);
  });

  it("follows a switch as conditions", () => {
    const { edges, node } = main(`switch (input) {
  case "one": case "two": await run(a, input); break;
  default: { await run(b, input); }
}`);
    expect(edges).toContain("If.true > A.main");
    expect(edges).toContain("If.false > B.main");
    expect(node("If")?.config.condition).toMatch(/"one".*"two"/);
  });

  it.each<[string, string]>([
    [
      "a switch whose cases run into each other",
      'switch (input) { case "a": await run(a, "1"); case "b": await run(b, "2"); }',
    ],
    ["a loop that works out values", "for (const x of [1, 2]) { workflow.n += x; } await run(a, input);"],
    ["a loop with a condition that works out values", "while (workflow.n < 3) { f(); } await run(a, input);"],
    ["a loop that ends early", "for (const x of [1]) { await run(a, input); break; }"],
    ["a run within a larger expression", "const text = `${(await run(a, input)).finalOutput}!`;"],
    ["a run within a condition", 'if ((await run(a, input)).finalOutput === "x") { await run(b, input); }'],
    ["a run after a failure", "try { await run(a, input); } catch (e) { await run(b, input); }"],
    ["a labelled block", "here: { await run(a, input); }"],
  ])("keeps %s", (_, body) => {
    const { document } = main(body);
    expect(Object.values(document.nodes).filter(({ type }) => type === "placeholder")).toHaveLength(1);
  });

  it("tells what is done after a failure, and calls of other code", () => {
    const { report } = main(`try { await run(a, input); } catch (e) { return "Sorry"; }
await db.save(workflow);
console.log("done");`);
    const told = report.entries.filter(({ about }) => about === "setting").map(({ note }) => note);
    expect(told).toEqual([
      expect.stringContaining('return "Sorry";'),
      expect.stringContaining("Not taken over: db.save(workflow)"),
    ]);
  });

  it("loops over what a list maps to runs", () => {
    const { edges } = main("await Promise.all(['x', 'y'].map(async (part) => run(a, part)));\nawait run(b, input);");
    expect(edges).toContain("Each part.main > Item part.main");
    expect(edges).toContain("Item part.main > A.main");
    expect(edges).toContain("Each part.done > B.main");
  });

  it("does not lose itself in a long chain of members", () => {
    expect(() => main(`workflow.n = input${".a".repeat(3_000)};\nawait run(a, input);`)).not.toThrow();
  });
});
