import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../json.ts";
import { messageText } from "../../model/message.ts";
import { runScriptedAgent, testTool } from "../../testing/run-scripted-agent.ts";
import type { ScriptedCall } from "../../testing/scripted-model.ts";
import { testHost } from "../../testing/test-host.ts";
import type { Tool, ToolResult } from "../../tool/tool.ts";

/** Runs one turn with these calls, then a final answer; gives what the model read of each call. */
async function oneTurn(calls: ScriptedCall[], options: Omit<Parameters<typeof runScriptedAgent>[0], "script"> = {}) {
  const result = await runScriptedAgent({ ...options, script: [{ calls }, { text: "Done." }] });
  const read = (result.model.requests[1]?.messages ?? []).filter((message) => message.role === "tool");
  return { ...result, read };
}

describe("approval", () => {
  const calls = [{ name: "send", arguments: { to: "a" } }];

  it("asks before every call and runs the edited input", async () => {
    const send = testTool("send", "sent", { approval: "ask" });
    const host = testHost({ approve: () => ({ approved: true, input: { to: "b" } }) });
    const { of } = await oneTurn(calls, { host, tools: [send] });
    expect(send.inputs).toEqual([{ to: "b" }]);
    expect(of("approval-wait")).toMatchObject([{ toolName: "send", input: { to: "a" }, callId: "call_1_1" }]);
    expect(of("approval-end")).toMatchObject([{ approved: true, input: { to: "b" } }]);
  });

  it("tells the person which schema the arguments have to fit", async () => {
    const parameters = { type: "object", properties: { to: { type: "string" } }, required: ["to"] };
    const host = testHost();
    await oneTurn(calls, { host, tools: [testTool("send", "sent", { approval: "ask", parameters })] });
    expect(host.approvals).toMatchObject([{ toolName: "send", parameters }]);
  });

  it("marks a rejected call as rejected, in its event, in the conversation and in the output", async () => {
    const host = testHost({ approve: () => ({ approved: false, reason: "No." }) });
    const { of, read } = await oneTurn(calls, { host, tools: [testTool("send", "sent", { approval: "ask" })] });
    expect(of("tool-call-end")).toMatchObject([{ ok: false, rejected: true }]);
    expect(read).toMatchObject([{ ok: false, rejected: true }]);
    const failing = testTool("send", () => ({ ok: false, error: { message: "Down." } }), { approval: "ask" });
    const failed = await oneTurn(calls, { host: testHost(), tools: [failing] });
    expect(failed.of("tool-call-end")[0]).toMatchObject({ ok: false });
    expect(failed.of("tool-call-end")[0]).not.toHaveProperty("rejected");
  });

  it("does not count how long the person takes as the tool's time, also for a call that waits for the first's answer", async () => {
    const host = testHost({
      approve: async () => {
        await host.sleep(60_000, new AbortController().signal);
        return { approved: true, input: { to: "a" } };
      },
    });
    const send = testTool("send", "sent", { approval: "once" });
    const { of } = await oneTurn([...calls, { name: "send", arguments: { to: "b" } }], { host, tools: [send] });
    expect(of("tool-call-end").map(({ durationMs }) => durationMs)).toEqual([0, 0]);
  });

  it("gives the reason of a rejection to the model", async () => {
    const send = testTool("send", "sent", { approval: "ask" });
    const host = testHost({ approve: () => ({ approved: false, reason: "Not on Sundays." }) });
    const { read, of } = await oneTurn(calls, { host, tools: [send] });
    expect(send.inputs).toEqual([]);
    expect(read[0] && messageText(read[0])).toContain("Not on Sundays.");
    expect(of("approval-end")).toMatchObject([{ approved: false, reason: "Not on Sundays." }]);
  });

  it("checks an edited input against the schema", async () => {
    const parameters = { type: "object", properties: { to: { type: "string" } }, required: ["to"] };
    const send = testTool("send", "sent", { approval: "ask", parameters });
    const host = testHost({ approve: () => ({ approved: true, input: {} }) });
    const { read } = await oneTurn(calls, { host, tools: [send] });
    expect(send.inputs).toEqual([]);
    expect(read[0] && messageText(read[0])).toContain("after editing");
  });

  it("asks once per run and tool, also for calls side by side", async () => {
    const send = testTool("send", "sent", { approval: "once" });
    const two = [
      { name: "send", arguments: { to: "a" } },
      { name: "send", arguments: { to: "b" } },
    ];
    const host = testHost();
    const result = await runScriptedAgent({
      script: [{ calls: two }, { calls: [{ name: "send", arguments: { to: "c" } }] }, { text: "Done." }],
      host,
      tools: [send],
    });
    expect(send.inputs).toHaveLength(3);
    expect(host.approvals).toHaveLength(1);
    expect(result.of("approval-wait")).toHaveLength(1);
  });

  it("shows what the call would do, and again with edited arguments", async () => {
    const send = testTool("send", "sent", { approval: "ask" });
    const shown: unknown[] = [];
    const host = testHost({
      async approve({ preview, previewOf }) {
        shown.push(preview, await previewOf?.({ to: "b" }));
        return { approved: true, input: { to: "b" } };
      },
    });
    const preview: Tool["preview"] = ({ to = null }) => Promise.resolve({ ok: true, output: { wouldSendTo: to } });
    const { of } = await oneTurn(calls, { host, tools: [{ ...send, preview }] });
    expect(shown).toEqual([{ wouldSendTo: "a" }, { ok: true, output: { wouldSendTo: "b" } }]);
    expect(of("approval-wait")).toMatchObject([{ input: { to: "a" }, preview: { wouldSendTo: "a" } }]);
    expect(send.inputs).toEqual([{ to: "b" }]);
  });

  it("asks nobody for a call that would fail: the model reads why", async () => {
    const send = testTool("send", "sent", { approval: "ask" });
    const host = testHost();
    const preview: Tool["preview"] = () => Promise.reject(new Error("There is no such address."));
    const { read, of, outcome } = await oneTurn(calls, { host, tools: [{ ...send, preview }] });
    expect(host.approvals).toEqual([]);
    expect(send.inputs).toEqual([]);
    expect(read[0] && messageText(read[0])).toContain("There is no such address.");
    expect(of("approval-wait")).toEqual([]);
    expect(outcome.ok).toBe(true);
  });

  it("says which edited argument does not fit before it is previewed", async () => {
    const parameters = { type: "object", properties: { to: { type: "string" } }, required: ["to"] };
    const previewed: JsonObject[] = [];
    let answer: ToolResult | undefined;
    const host = testHost({
      async approve({ previewOf }) {
        answer = await previewOf?.({ to: 1 });
        return { approved: false, reason: "No." };
      },
    });
    const preview: Tool["preview"] = (input) => {
      previewed.push(input);
      return Promise.resolve({ ok: true, output: {} });
    };
    await oneTurn(calls, { host, tools: [{ ...testTool("send", "sent", { approval: "ask", parameters }), preview }] });
    expect(answer).toMatchObject({ ok: false, error: { message: expect.stringContaining('"to"') } });
    expect(previewed).toEqual([{ to: "a" }]);
  });

  it("bounds a preview by the tool's time limit", async () => {
    const send = testTool("send", "sent", { approval: "ask", timeoutMs: 1_000 });
    const preview: Tool["preview"] = () => new Promise(() => undefined);
    const { read } = await oneTurn(calls, { tools: [{ ...send, preview }] });
    expect(read[0] && messageText(read[0])).toContain("within 1 s");
    expect(send.inputs).toEqual([]);
  });

  it("does not count the wait for a person towards the time limits", async () => {
    const host: ReturnType<typeof testHost> = testHost({
      approve: async (request, signal) => {
        await host.sleep(3_600_000, signal);
        return { approved: true, input: request.input };
      },
    });
    const send = testTool("send", "sent", { approval: "ask", timeoutMs: 1_000 });
    const { outcome } = await oneTurn(calls, { host, tools: [send], settings: { timeoutMs: 10_000 } });
    expect(send.inputs).toHaveLength(1);
    expect(outcome.ok).toBe(true);
  });
});
