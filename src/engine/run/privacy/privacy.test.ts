import { describe, expect, it } from "vitest";
import { readScratchpad, writeScratchpad } from "../../memory/scratchpad.ts";
import { modelRequest, modelResponse, numberEvents } from "../../testing/run-events.ts";
import { EventMask } from "./event-mask.ts";
import { createMask, patternProblem } from "./mask-text.ts";
import { memoryMask } from "./memory-mask.ts";

const everything = { mask: ["keys", "emails", "cards"] as ("keys" | "emails" | "cards")[], patterns: [] };

describe("masking texts", () => {
  it("knows keys, e-mail addresses and card numbers", () => {
    const mask = createMask(everything);
    const jwt = `eyJ${"a".repeat(20)}.${"b".repeat(30)}.${"c".repeat(20)}`;
    for (const [text, masked] of [
      [`use sk-${"a1".repeat(12)} now`, "use [key] now"],
      [`sk-ant-${"b".repeat(40)}`, "[key]"],
      [`Authorization: Bearer ${"x".repeat(20)}`, "Authorization: Bearer [key]"],
      [`token ${jwt}.`, "token [key]."],
      [`ghp_${"Z".repeat(36)}`, "[key]"],
      ["-----BEGIN RSA PRIVATE KEY-----\nMIIB\n-----END RSA PRIVATE KEY-----", "[key]"],
      ["Ada <ada.lovelace+notes@mail.example.co.uk>, bob@x.org", "Ada <[email]>, [email]"],
      ["müller@exämple.de, mu\u0308ller@exa\u0308mple.de, почта@пример.рф", "[email], [email], [email]"],
      ["react@18.2.10, root@10.0.0.12, 5@1.25", "react@18.2.10, root@10.0.0.12, 5@1.25"],
      ["请写信给ada@example.com谢谢", "请写信给[email]谢谢"],
      ["pay with 4111 1111 1111 1111 today", "pay with [card] today"],
      ["5500-0055-5555-5559", "[card]"],
      ["378282246310005", "[card]"],
    ]) {
      expect(mask(text ?? "")).toBe(masked);
    }
  });

  it("leaves alone what only looks a little like them", () => {
    const mask = createMask(everything);
    for (const text of [
      "4111 1111 1111 1112",
      "0000 0000 0000 0000",
      "12345678901234567890123",
      "me@home",
      "sk-short",
      "3.14159265358979323846",
      "a@b and @handle",
    ]) {
      expect(mask(text)).toBe(text);
    }
  });

  it("masks what own patterns match: leftmost, as long as possible, in any case with (?i)", () => {
    const mask = createMask({
      mask: [],
      patterns: ["(?i)employee-[0-9]+", "AB|ABC", "\\\\bDE[0-9]{2}( ?[0-9]{4}){4}".replace("\\\\", "\\")],
    });
    expect(mask("Employee-12 and EMPLOYEE-345x")).toBe("[masked] and [masked]x");
    expect(mask("xABCx")).toBe("x[masked]x");
    expect(mask("IBAN DE44 5001 0517 5407 3249")).toBe("IBAN [masked]");
    expect(createMask({ mask: [], patterns: ["x*"] })("axxb")).toBe("a[masked]b");
  });

  it("says what is wrong with a pattern, and masks nothing with it", () => {
    expect(patternProblem("(open")).toMatch(/"\(" is not closed/);
    expect(patternProblem("(?=a)")).toMatch(/RE2/);
    expect(patternProblem("a{1000}")).toMatch(/repeats too often/);
    expect(patternProblem("[a-z]+@corp")).toBeUndefined();
    expect(createMask({ mask: [], patterns: ["(open", "b"] })("abc")).toBe("a[masked]c");
  });

  it("S22 stays linear, and masks a text as a whole where even that is too much", () => {
    const hostile = ["(a|a)*b", "(a*)*b", "(a+)+$", "([a-z]+)*@"];
    const text = "a".repeat(20_000);
    for (const pattern of hostile) createMask({ mask: [], patterns: [pattern] })(text);
    const long = createMask({ mask: [], patterns: ["(.|a){100}b"] })("a".repeat(400_000));
    expect(long).toBe("[masked: too long to be searched]");
    for (const kind of ["keys", "emails", "cards", "ibans", "phones"] as const) {
      const mask = createMask({ mask: [kind], patterns: [] });
      for (const part of ["a", "1", "a.", "1 ", "eyJa", "-----BEGIN PRIVATE KEY-----", "@"]) mask(part.repeat(50_000));
    }
  });
});

describe("masking events", () => {
  it("finds what a stream cuts in two, keeps every number, and masks all that was said", () => {
    const mask = new EventMask({ ...everything, patterns: ["agent"] });
    const made = numberEvents("run", [
      {
        type: "run-start",
        workflowId: "w",
        workflowName: "Mail",
        input: { to: "ada@example.org", card: 4111111111111111 },
      },
      modelRequest({
        messages: [
          { role: "system", text: "Write to ada@example.org" },
          { role: "user", parts: [{ type: "text", text: "ada@example.org" }] },
        ],
      }),
      { type: "text-delta", nodeId: "agent", callId: "c1", text: "Mail ada@exa" },
      { type: "log", nodeId: "agent", level: "info", message: "by ada@example.org", data: ["ada@example.org"] },
      { type: "text-delta", nodeId: "agent", callId: "c1", text: "mple.org now" },
      modelResponse("", {
        message: {
          role: "assistant",
          parts: [
            { type: "text", text: "Mail ada@example.org now" },
            { type: "tool-call", callId: "t1", toolName: "pay", arguments: '{"card":4111111111111111}' },
          ],
        },
        error: {
          code: "model_error",
          message: "of ada@example.org",
          hint: "",
          retryable: false,
          cause: "ada@example.org",
        },
      }),
      {
        type: "run-end",
        outcome: "completed",
        output: "ada@example.org",
        usage: { inputTokens: 1, outputTokens: 1 },
        costUsd: 0,
        durationMs: 1,
      },
    ]);
    const taken = made.map((event) => mask.take(event));
    expect(taken.map((batch) => batch.length)).toEqual([1, 1, 0, 1, 0, 3, 1]);
    const stored = taken.flat();
    expect(stored.map((event) => event.seq).toSorted((a, b) => a - b)).toEqual(made.map((event) => event.seq));
    const text = JSON.stringify(stored);
    expect(text).not.toMatch(/ada@|example\.org|4111/);
    expect(stored.filter((event) => event.type === "text-delta").map((event) => event.text)).toEqual([
      "Mail [email] now",
      "",
    ]);
    const response = stored.find((event) => event.type === "model-response");
    expect(response?.message.parts[1]).toMatchObject({ arguments: '{"card":"[card]"}', toolName: "pay" });
    // Ids are no data: the log stays in one piece.
    expect(stored.every((event) => !("nodeId" in event) || event.nodeId === "agent")).toBe(true);
    expect(made[0]).toMatchObject({ input: { to: "ada@example.org" } });
  });

  it("lets go of what is held when the run ends in the middle of an answer", () => {
    const mask = new EventMask(everything);
    const made = numberEvents("run", [
      { type: "text-delta", nodeId: "a", callId: "c1", text: "half" },
      {
        type: "run-end",
        outcome: "cancelled",
        output: null,
        usage: { inputTokens: 0, outputTokens: 0 },
        costUsd: 0,
        durationMs: 1,
      },
    ]);
    expect(made.flatMap((event) => mask.take(event)).map((event) => event.seq)).toEqual([0, 1]);
  });
});

describe("masking what is offered and remembered", () => {
  it("masks what tools say of themselves, and leaves their names and rules", () => {
    const parameters = {
      type: "object",
      properties: {
        string: { type: "string", description: "Not ada@example.org", default: "ada@example.org" },
        to: { enum: ["ada@example.org", "all"] },
        default: { type: "string", default: { deep: ["a string for ada@example.org"] } },
      },
      required: ["string"],
    };
    const tools = [{ name: "string", description: "Asks ada@example.org for a string", parameters }];
    const taken = numberEvents("run", [modelRequest({ tools })]).flatMap((asked) =>
      new EventMask({ ...everything, patterns: ["string"] }).take(asked),
    );
    expect(taken).toMatchObject([
      {
        tools: [
          {
            name: "string",
            description: "Asks [email] for a [masked]",
            parameters: {
              type: "object",
              properties: {
                string: { type: "string", description: "Not [email]", default: "[email]" },
                to: { enum: ["[email]", "all"] },
                default: { type: "string", default: { deep: ["a [masked] for [email]"] } },
              },
              required: ["string"],
            },
          },
        ],
      },
    ]);
  });

  it("keeps each note of a scratchpad, whatever a pattern matches in the text of all", async () => {
    const notes = new Map([
      ["mail", "ada@example.org"],
      ["colour", "blue"],
      ["key", "-----BEGIN RSA PRIVATE KEY-----\nMIIB\n-----END RSA PRIVATE KEY-----"],
    ]);
    const mask = await memoryMask({ ...everything, patterns: ["[^ ]+@[^ ]+"], memory: true });
    const stored = mask?.([writeScratchpad(notes, false)]) ?? [];
    expect([...readScratchpad(stored)]).toEqual([
      ["mail", "[email]"],
      ["colour", "blue"],
      ["key", "[key]"],
    ]);
    const greedy = await memoryMask({ mask: [], patterns: ["[^ ]+@[^ ]+"], memory: true });
    expect(readScratchpad(greedy?.([writeScratchpad(notes, false)]) ?? []).get("colour")).toBe("blue");
  });
});
