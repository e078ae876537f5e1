import { describe, expect, it } from "vitest";
import { assistantMessage, messageText, userMessage } from "../../model/message.ts";
import { runScriptedAgent, testMemory, testTool } from "../../testing/run-scripted-agent.ts";

const animals = ["aardvark", "badger", "camel", "dolphin", "eagle", "falcon", "gorilla", "heron", "ibis", "jackal"];
const many = () => [...animals, "kangaroo", "lemur"].map((name) => testTool(`feed_${name}`, `${name} fed`));
const find = (query: string) => ({ calls: [{ name: "find_tools", arguments: { query } }] });
const names = ({ tools }: { tools: readonly { name: string }[] }) => tools.map(({ name }) => name);
const searching = { toolSearchAbove: 5, userMessage: "Feed the lemur" };

describe("an agent with more tools than its requests carry", () => {
  it("offers those that fit the question, and a search", async () => {
    const { model } = await runScriptedAgent({ script: [{ text: "Ok." }], tools: many(), settings: searching });
    const [request] = model.requests;
    expect(request && names(request).slice(0, 2)).toEqual(["find_tools", "feed_lemur"]);
    expect(request?.tools.length).toBeLessThan(12);
  });

  it("can call what the search finds from then on, and the tools before it stay where they are", async () => {
    const tools = many();
    const { model, outcome, of } = await runScriptedAgent({
      script: [find("heron"), { calls: [{ name: "feed_heron", arguments: {} }] }, { text: "Fed." }],
      tools,
      settings: { ...searching, userMessage: "Hello" },
    });
    const [first, second, third] = model.requests.map(names);
    expect(first).toEqual(["find_tools"]);
    expect(second).toEqual(["find_tools", "feed_heron"]);
    expect(third).toEqual(second);
    expect(of("tool-call-end").map(({ ok }) => ok)).toEqual([true, true]);
    expect(outcome).toMatchObject({ ok: true, output: { response: "Fed." } });
  });

  it("says where nothing fits", async () => {
    const { model } = await runScriptedAgent({
      script: [find("zebra"), { text: "No." }],
      tools: many(),
      settings: searching,
    });
    expect(messageText(model.requests[1]?.messages.at(-1) ?? userMessage(""))).toContain("Use other words");
  });

  it("offers what the conversation has used, and calls a tool that it did not offer", async () => {
    const call = { type: "tool-call" as const, callId: "1", toolName: "feed_camel", arguments: "{}" };
    const memory = testMemory([
      userMessage("Feed the camel"),
      { role: "assistant", parts: [call] },
      { role: "tool", callId: "1", toolName: "feed_camel", ok: true, text: "fed" },
      assistantMessage("Fed."),
    ]);
    const { model, of } = await runScriptedAgent({
      script: [{ calls: [{ name: "feed_ibis", arguments: {} }] }, { text: "Fed." }],
      tools: many(),
      memory,
      settings: { ...searching, userMessage: "Again" },
    });
    expect(model.requests.map(names)).toEqual([
      ["find_tools", "feed_camel"],
      ["find_tools", "feed_camel", "feed_ibis"],
    ]);
    expect(of("tool-call-end")[0]?.ok).toBe(true);
  });

  it("keeps the tools of its own, and takes another name where a tool has that of the search", async () => {
    const { model } = await runScriptedAgent({
      script: [{ text: "Ok." }],
      tools: [...many(), testTool("find_tools")],
      memory: testMemory(),
      settings: { ...searching, scratchpad: true, userMessage: "Hello" },
    });
    expect(model.requests.map(names)[0]).toEqual(["find_tools_2", "remember", "recall", "forget"]);
  });
});

describe("an agent offers all of its tools", () => {
  it.each([{ toolSearch: "never" as const }, { toolSearch: "above" as const, toolSearchAbove: 12 }])(
    "with $toolSearch",
    async (settings) => {
      const { model } = await runScriptedAgent({ script: [{ text: "Ok." }], tools: many(), settings });
      expect(model.requests[0]?.tools).toHaveLength(12);
    },
  );
});
