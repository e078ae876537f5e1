import { describe, expect, it } from "vitest";
import type { ModelRequest } from "../../model/chat-model.ts";
import { messageText } from "../../model/message.ts";
import type { ScriptedTurn } from "../../testing/scripted-model.ts";
import { runScriptedAgent, testMemory, testTool } from "../../testing/run-scripted-agent.ts";

function systemOf(request: ModelRequest | undefined): string {
  const first = request?.messages[0];
  return first?.role === "system" ? first.text : "";
}

describe("planning", () => {
  it("asks for a plan first, logs it and gives it to the loop", async () => {
    const { model, of, outcome } = await runScriptedAgent({
      script: [{ text: "1. Look.\n2. Answer." }, { text: "Done." }],
      tools: [testTool("look")],
      settings: { planning: true, outputFormat: "full" },
    });
    expect(of("model-request").map((event) => event.purpose)).toEqual(["plan", "answer"]);
    expect(model.requests[0]?.tools).toEqual([]);
    const question = model.requests[0]?.messages.at(-1);
    expect(question && messageText(question)).toContain("look: Test tool look.");
    expect(of("plan")).toEqual([{ type: "plan", nodeId: "agent", text: "1. Look.\n2. Answer." }]);
    expect(systemOf(model.requests[1])).toContain("1. Look.\n2. Answer.");
    expect(model.requests[1]?.messages).toHaveLength(2);
    expect(outcome).toMatchObject({ output: { plan: "1. Look.\n2. Answer.", metadata: { iterations: 1 } } });
  });

  it("is off by default", async () => {
    const { of } = await runScriptedAgent({ script: [{ text: "Done." }] });
    expect(of("model-request").map((event) => event.purpose)).toEqual(["answer"]);
  });
});

/** Calls `look` five times; answers every review alike. */
function looksFiveTimes(request: ModelRequest): ScriptedTurn {
  const last = request.messages.at(-1);
  if (last && messageText(last).includes("What went well?")) return { text: "It goes well." };
  const results = request.messages.filter((message) => message.role === "tool").length;
  return results < 5 ? { calls: [{ name: "look", arguments: { results } }] } : { text: "Done." };
}

describe("reflection", () => {
  it("reviews every N iterations and lets the review guide the next step", async () => {
    const memory = testMemory();
    const { model, of, outcome } = await runScriptedAgent({
      script: looksFiveTimes,
      memory,
      tools: [testTool("look", (input) => ({ ok: true, output: input }))],
      settings: {
        reflection: true,
        reflectionFrequency: 2,
        reflectionPrompt: "What went well?",
        outputFormat: "full",
      },
    });
    expect(of("reflection")).toMatchObject([
      { iteration: 2, text: "It goes well." },
      { iteration: 4, text: "It goes well." },
    ]);
    const purposes = of("model-request").map((event) => event.purpose);
    expect(purposes).toEqual(["answer", "answer", "reflection", "answer", "answer", "reflection", "answer", "answer"]);
    const guided = model.requests[3]?.messages.at(-1);
    expect(guided && messageText(guided)).toContain("It goes well.");
    expect(outcome).toMatchObject({ output: { reflections: ["It goes well.", "It goes well."] } });
    expect(JSON.stringify(memory.writes)).not.toContain("It goes well.");
  });

  it("is off by default", async () => {
    const { of } = await runScriptedAgent({ script: looksFiveTimes, tools: [testTool("look")] });
    expect(of("reflection")).toEqual([]);
  });
});

describe("an empty plan", () => {
  it("is warned about", async () => {
    const { of, outcome } = await runScriptedAgent({
      script: [{ text: " " }, { text: "Hello." }],
      settings: { planning: true },
    });
    expect(of("warning")[0]?.message).toContain("empty plan");
    expect(outcome).toMatchObject({ ok: true, finish: "completed" });
  });
});

describe("reflection across rounds", () => {
  it.each([
    ["after each iteration by itself", {}, ["answer", "reflection", "answer", "reflection", "answer"]],
    ["as often as its setting says", { reflectionFrequency: 3 }, ["answer", "answer", "answer"]],
  ])("happens %s", async (_how, given, purposes) => {
    const { of } = await runScriptedAgent({
      script: () => ({ text: "A draft." }),
      settings: { autoIterate: true, reflection: true, ...given },
    });
    expect(of("model-request").map((event) => event.purpose)).toEqual(purposes);
  });

  it("counts iterations over all rounds, and puts the review into the next round's input", async () => {
    const { of, model, outcome } = await runScriptedAgent({
      script: (request) => {
        const last = request.messages.at(-1);
        const isReview = last !== undefined && messageText(last).startsWith("Review your actions");
        return { text: isReview ? "Shorten it." : "A draft." };
      },
      settings: { autoIterate: true, maxRounds: 5, reflection: true, reflectionFrequency: 2 },
    });
    expect(of("reflection").map((event) => event.text)).toEqual(["Shorten it.", "Shorten it."]);
    const purposes = of("model-request").map((event) => event.purpose);
    expect(purposes).toEqual(["answer", "answer", "reflection", "answer", "answer", "reflection", "answer"]);
    const input = model.requests[3]?.messages.at(-1);
    expect(input && messageText(input)).toMatch(/Shorten it\.[\s\S]*The result of the last round:\n\nA draft\./);
    expect(model.requests.flatMap(({ messages }) => sameRoleTwice(messages))).toEqual([]);
    expect(outcome).toMatchObject({ finish: "max_rounds", output: { metadata: { rounds: 5, iterations: 5 } } });
  });
});

/** Neighbours with one role; the question for a review stands after an answer. */
function sameRoleTwice(messages: ModelRequest["messages"]): string[] {
  return messages.flatMap(({ role }, index) => (messages[index - 1]?.role === role ? [role] : []));
}

describe("auto-iteration", () => {
  it("feeds the result in as the next round's input until the model is done", async () => {
    const memory = testMemory();
    const { model, of, outcome } = await runScriptedAgent({
      script: [{ text: "Draft one." }, { text: "Draft two.\n[[DONE]]" }, { text: "Never." }],
      memory,
      settings: { autoIterate: true, userMessage: "Write." },
    });
    expect(model.requests).toHaveLength(2);
    expect(systemOf(model.requests[0])).toContain("[[DONE]]");
    const input = model.requests[1]?.messages.at(-1);
    expect(input && messageText(input)).toContain("Draft one.");
    expect(of("iteration-start").map((event) => event.round)).toEqual([1, 2]);
    expect(outcome).toMatchObject({
      ok: true,
      output: { response: "Draft two.", metadata: { rounds: 2, iterations: 2 } },
    });
    expect(memory.writes[0]?.messages.map(messageText)).toEqual(["Write.", "Draft two."]);
  });

  it("stops at the round limit", async () => {
    const { model, outcome, of } = await runScriptedAgent({
      script: (_request, index) => ({ text: `Draft ${index + 1}.` }),
      settings: { autoIterate: true, maxRounds: 4 },
    });
    expect(model.requests).toHaveLength(4);
    expect(outcome).toMatchObject({
      finish: "max_rounds",
      output: { response: "Draft 4.", metadata: { rounds: 4, finishReason: "max_rounds" } },
    });
    expect(of("iteration-end").map((event) => event.finish)).toEqual([undefined, undefined, undefined, "max_rounds"]);
    expect(of("iteration-end").at(-1)?.ending).toMatchObject({
      message: "Stopped after 4 rounds, before the model said it was done.",
      setting: { nodeId: "agent", field: "maxRounds" },
    });
  });

  it("keeps the last result when the model only says that it is done", async () => {
    const { outcome } = await runScriptedAgent({
      script: [{ text: "The poem." }, { text: "[[DONE]]" }],
      settings: { autoIterate: true },
    });
    expect(outcome).toMatchObject({ output: { response: "The poem." } });
  });

  it("counts iterations per round", async () => {
    const { of } = await runScriptedAgent({
      script: [{ calls: [{ name: "look", arguments: {} }] }, { text: "One." }, { text: "Two. [[DONE]]" }],
      tools: [testTool("look")],
      settings: { autoIterate: true },
    });
    expect(of("iteration-start").map((event) => [event.round, event.iteration])).toEqual([
      [1, 1],
      [1, 2],
      [2, 1],
    ]);
  });
});

describe("scratchpad", () => {
  const settings = { scratchpad: true };

  it("is read together with the conversation, not after it", async () => {
    const memory = testMemory();
    const read = memory.getMessages.bind(memory);
    const asked: string[] = [];
    let answer = () => {};
    const both = new Promise<void>((resolve) => (answer = resolve));
    memory.getMessages = async (session, turn) => {
      asked.push(session);
      if (asked.length === 2) answer();
      await both;
      return read(session, turn);
    };
    const { outcome } = await runScriptedAgent({ script: [{ text: "Hello." }], memory, settings });
    expect(outcome.ok).toBe(true);
    expect(asked).toEqual(["session", "session:scratchpad"]);
  });

  it("offers remember, recall and forget and keeps the notes with the session", async () => {
    const memory = testMemory();
    const first = await runScriptedAgent({
      script: [
        { calls: [{ name: "remember", arguments: { key: "colour", value: "blue" } }] },
        { calls: [{ name: "remember", arguments: { key: "size", value: "XL" } }] },
        { calls: [{ name: "forget", arguments: { key: "size" } }] },
        { text: "Noted." },
      ],
      memory,
      settings,
    });
    expect(first.model.requests[0]?.tools.map((tool) => tool.name)).toEqual(["remember", "recall", "forget"]);
    expect(first.outcome.ok).toBe(true);
    const second = await runScriptedAgent({
      script: [
        { calls: [{ name: "recall", arguments: { key: "colour" } }] },
        { calls: [{ name: "recall", arguments: { key: "size" } }] },
        { calls: [{ name: "recall", arguments: {} }] },
        { text: "Blue." },
      ],
      memory,
      settings,
    });
    const ends = second.of("tool-call-end");
    expect(ends.map((event) => event.ok)).toEqual([true, false, true]);
    expect(ends[0]?.text).toBe("blue");
    expect(ends[1]?.text).toContain('There is no note "size"');
    expect(ends[2]?.output).toEqual({ colour: "blue" });
  });

  it("does not mix with the conversation", async () => {
    const memory = testMemory();
    await runScriptedAgent({
      script: [{ calls: [{ name: "remember", arguments: { key: "k", value: "v" } }] }, { text: "Noted." }],
      memory,
      settings: { ...settings, rememberToolCalls: "none" },
    });
    expect(memory.sessions.get("session")?.map(messageText)).toEqual(["Hello", "Noted."]);
  });

  it("checks keys and values", async () => {
    const { of } = await runScriptedAgent({
      script: [{ calls: [{ name: "remember", arguments: { key: "" } }] }, { text: "Hm." }],
      settings,
    });
    expect(of("tool-call-end")[0]).toMatchObject({ ok: false });
  });

  it("is off by default", async () => {
    const { model } = await runScriptedAgent({ script: [{ text: "Hi" }] });
    expect(model.requests[0]?.tools).toEqual([]);
  });
});
