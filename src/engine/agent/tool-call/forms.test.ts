import { describe, expect, it } from "vitest";
import type { ApprovalDecision } from "../../host.ts";
import { nobodyApproves } from "../../host.ts";
import { runScriptedAgent, testTool } from "../../testing/run-scripted-agent.ts";
import { testHost, type TestHostOptions } from "../../testing/test-host.ts";
import { type AskedForm, type FormAnswer, formTimeMs, type Tool } from "../../tool/tool.ts";

const schema = {
  type: "object",
  properties: { name: { type: "string", default: "Ada" }, age: { type: "integer" } },
  required: ["name"],
};

/** A tool that asks before it answers with what it was told. */
function askingTool(
  form: AskedForm = { message: "Who is it?", schema },
  withdrawn = new AbortController().signal,
): Tool {
  return {
    ...testTool("ask", "", {}),
    timeoutMs: 1_000,
    async execute(_input, { ask }) {
      const answer: FormAnswer = await ask(form, { key: "k", signal: withdrawn });
      return { ok: true, output: answer };
    },
  };
}

async function askOnce(approve: TestHostOptions["approve"], tool = askingTool()) {
  const host = testHost(approve ? { approve } : {});
  const script = [{ calls: [{ name: "ask", arguments: {} }] }, { text: "Done." }];
  const result = await runScriptedAgent({ script, tools: [tool], host, settings: { timeoutMs: 5_000 } });
  return { ...result, answer: result.of("tool-call-end")[0]?.output };
}

describe("a form of a tool", () => {
  it("is asked by the road of approvals, with its defaults, and the answer goes back", async () => {
    const { answer, host, of } = await askOnce(() => ({ approved: true, input: { name: "Grace", age: 36 } }));
    expect(answer).toEqual({ action: "accept", content: { name: "Grace", age: 36 } });
    const form = { message: "Who is it?", schema };
    expect(host.approvals).toMatchObject([
      { callId: "call_1_1/form-k-1", toolName: "ask", toolNodeId: "ask-node", input: { name: "Ada" }, form },
    ]);
    expect(of("form-wait")).toMatchObject([{ callId: "call_1_1/form-k-1", toolName: "ask", form }]);
    expect(of("form-end")).toMatchObject([{ action: "accept", input: { name: "Grace", age: 36 } }]);
  });

  it("stops the clocks of the call and of the agent while the person thinks", async () => {
    const host = testHost({
      async approve(_request, signal): Promise<ApprovalDecision> {
        await host.clock.sleep(60_000, signal);
        return { approved: true, input: { name: "Ada" } };
      },
    });
    const script = [{ calls: [{ name: "ask", arguments: {} }] }, { text: "Done." }];
    const { of, outcome } = await runScriptedAgent({
      script,
      tools: [askingTool()],
      host,
      settings: { timeoutMs: 5_000 },
    });
    expect(of("tool-call-end")).toMatchObject([{ ok: true, output: { action: "accept" } }]);
    expect(outcome).toMatchObject({ ok: true, finish: "completed" });
  });

  it("S78 is declined by a person, and where nobody is there", async () => {
    const no = await askOnce(() => ({ approved: false, reason: "No." }));
    expect(no.answer).toEqual({ action: "decline" });
    expect(no.of("form-end")[0]).not.toHaveProperty("unasked");
    const nobody = await askOnce((request, signal) => nobodyApproves(request, signal));
    expect(nobody.answer).toEqual({ action: "decline" });
    expect(nobody.of("form-end")).toMatchObject([{ action: "decline", unasked: true }]);
  });

  it("is cancelled when nobody answers in time, and when the tool withdraws it", async () => {
    const silent = (_request: unknown, signal: AbortSignal) =>
      new Promise<never>((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    const late = await askOnce(silent);
    expect(late.answer).toEqual({ action: "cancel" });
    expect(late.host.clock.now()).toBeGreaterThanOrEqual(formTimeMs);
    const withdrawn = new AbortController();
    const gone = await askOnce(
      (request, signal) => {
        withdrawn.abort();
        return silent(request, signal);
      },
      askingTool(undefined, withdrawn.signal),
    );
    expect(gone.answer).toEqual({ action: "cancel" });
  });

  it("waits as long as an approval where it confirms values of the run itself", async () => {
    const slow = async (_request: unknown, signal: AbortSignal): Promise<ApprovalDecision> => {
      await host.clock.sleep(formTimeMs * 3, signal);
      return { approved: true, input: { name: "Ada" } };
    };
    const host = testHost({ approve: slow });
    const script = [{ calls: [{ name: "ask", arguments: {} }] }, { text: "Done." }];
    const tools = [askingTool({ message: "May it?", schema, confirms: true })];
    const { of } = await runScriptedAgent({ script, tools, host });
    expect(of("tool-call-end")).toMatchObject([{ output: { action: "accept" } }]);
  });

  it("sends no answer that does not fit, and asks nothing that is too large", async () => {
    const wrong = await askOnce(() => ({ approved: true, input: { name: 5 } }));
    expect(wrong.answer).toEqual({ action: "cancel" });
    expect(wrong.of("warning")).toMatchObject([{ message: expect.stringContaining('Field "name"') }]);
    const large = await askOnce(undefined, askingTool({ message: "x".repeat(20_000), schema }));
    expect(large.answer).toEqual({ action: "decline" });
    expect(large.host.approvals).toEqual([]);
    expect(large.of("warning")).toMatchObject([{ message: expect.stringContaining("too large") }]);
  });
});

describe("a tool that asks without end", () => {
  it("S64 is declined after twenty forms of one call, and the run says so once", async () => {
    const host = testHost({ approve: () => ({ approved: true, input: { name: "Ada" } }) });
    const actions: string[] = [];
    const greedy: Tool = {
      ...testTool("greedy", "", {}),
      async execute(_input, { ask, signal }) {
        for (let at = 0; at < 50; at += 1)
          actions.push((await ask({ message: "Who?", schema }, { key: `k${at}`, signal })).action);
        return { ok: true, output: "done" };
      },
    };
    const script = [{ calls: [{ name: "greedy", arguments: {} }] }, { text: "Done." }];
    const { of } = await runScriptedAgent({ script, tools: [greedy], host });
    expect(actions.filter((action) => action === "accept")).toHaveLength(20);
    expect(actions.slice(20)).toEqual(Array.from({ length: 30 }, () => "decline"));
    expect(of("warning")).toMatchObject([{ message: "greedy sent more than 20 forms." }]);
  });
});

describe("the progress of a tool", () => {
  it("is told now and then", async () => {
    const host = testHost();
    const busy: Tool = {
      ...testTool("busy", "", {}),
      async execute(_input, { tellProgress }) {
        for (let step = 1; step <= 10; step += 1) {
          tellProgress({ progress: step, total: 10, text: step === 1 ? "Begun" : undefined });
          await host.clock.sleep(200, new AbortController().signal);
        }
        tellProgress({ progress: Number.NaN });
        return { ok: true, output: "done" };
      },
    };
    const script = [{ calls: [{ name: "busy", arguments: {} }] }, { text: "Done." }];
    const { of } = await runScriptedAgent({ script, tools: [busy], host });
    expect(of("tool-progress")).toMatchObject([
      { toolNodeId: "busy-node", callId: "call_1_1", progress: 1, total: 10, text: "Begun" },
      { progress: 4 },
      { progress: 7 },
      { progress: 10 },
    ]);
  });
});
