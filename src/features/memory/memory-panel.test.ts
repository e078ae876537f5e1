import { describe, expect, it } from "vitest";
import { assistantMessage, type Message, userMessage } from "../../engine/model/message.ts";
import type { NodeRecord } from "../../engine/document/workflow-document.ts";
import { nodeRegistry } from "../../nodes/index.ts";
import { withText } from "./edit-message.ts";
import { memoryPlaces } from "./memory-places.ts";
import {
  markedAsFile,
  missingFrom,
  readSessionFile,
  sessionFileName,
  timedMessages,
  toSessionFile,
} from "./session-file.ts";

const node = (id: string, type: string, config: NodeRecord["config"]): [string, NodeRecord] => [
  id,
  { id, type, version: 1, title: `Title of ${id}`, position: { x: 0, y: 0 }, config },
];

describe("memoryPlaces", () => {
  it("names the database always, this tab and each Redis where a node uses it", () => {
    expect(memoryPlaces({ nodes: {} }, nodeRegistry).map((place) => place.key)).toEqual(["postgres"]);
    const redis = { credential: "c", keyPrefix: "mine:", ttlSeconds: 60 };
    const nodes = Object.fromEntries([
      node("a", "buffer-memory", {}),
      node("b", "buffer-memory", { storage: "memory" }),
      node("c", "redis-memory", redis),
      node("d", "redis-memory", { ...redis, ttlSeconds: 5 }),
      node("e", "redis-memory", { credential: "" }),
      node("f", "redis-memory", { credential: "other" }),
    ]);
    expect(memoryPlaces({ nodes }, nodeRegistry).map(({ title, place }) => [title, place])).toEqual([
      ["Database", { storage: "postgres" }],
      ["This tab", { storage: "tab" }],
      ["Title of c", { storage: "redis", ...redis }],
      ["Title of f", { storage: "redis", credential: "other", keyPrefix: "agent:memory:", ttlSeconds: 0 }],
    ]);
    const unknown = Object.fromEntries([node("a", "memory-of-another-version", {})]);
    expect(memoryPlaces({ nodes: unknown }, nodeRegistry).map((place) => place.key)).toEqual(["postgres"]);
    const stored = Object.fromEntries([node("a", "buffer-memory", { storage: "postgres" })]);
    expect(memoryPlaces({ nodes: stored }, nodeRegistry).map((place) => place.key)).toEqual(["postgres"]);
  });
});

describe("withText", () => {
  it("changes the text and keeps calls and pictures", () => {
    const picture = { type: "image" as const, url: "https://example.com/a.png" };
    const drawn = {
      $file: crypto.randomUUID(),
      name: "a.png",
      mediaType: "image/png",
      size: 1,
      sha256: "a".repeat(64),
    };
    const call = { type: "tool-call" as const, callId: "1", toolName: "look", arguments: "{}" };
    expect(withText({ role: "user", parts: [{ type: "text", text: "a" }, picture] }, "b")).toEqual({
      role: "user",
      parts: [{ type: "text", text: "b" }, picture],
    });
    const signed: Message = {
      role: "assistant",
      parts: [
        { type: "reasoning", text: "hm", vendor: "signature" },
        { type: "text", text: "a" },
        { ...call, vendor: "signature" },
        { type: "made-file", file: drawn, vendor: "signature" },
      ],
    };
    const rest = [call, { type: "made-file", file: drawn }];
    expect(withText(signed, "b")).toEqual({ role: "assistant", parts: [{ type: "text", text: "b" }, ...rest] });
    expect(withText(signed, "")).toEqual({ role: "assistant", parts: rest });
    const marked: Message = { ...userMessage("a"), untrusted: true };
    expect(withText(marked, "S90 the mark stays")).toMatchObject({ untrusted: true });
    expect(withText({ ...signed, untrusted: true }, "b")).toMatchObject({ untrusted: true });
    const result: Message = { role: "tool", callId: "1", toolName: "look", ok: true, text: "a" };
    expect(withText(result, "b")).toEqual({ ...result, text: "b" });
  });
});

describe("session files", () => {
  const file = toSessionFile({
    sessionId: "s/1",
    messages: [{ message: userMessage("Hi"), at: "2026-01-01T00:00:00.000Z" }, { message: assistantMessage("Hello") }],
    notes: new Map([["name", "Ann"]]),
    summary: undefined,
    exportedAt: "2026-01-01T00:00:00Z",
  });

  it("bring a conversation only what it lacks", () => {
    const [hi, hello] = timedMessages(file);
    if (!hi || !hello) throw new Error("The file holds two messages.");
    const postgres = { ...hi, at: "2026-01-01T00:00:00+00:00" };
    expect(missingFrom([], [hi, hello])).toEqual([hi, hello]);
    expect(missingFrom([postgres, hello], [hi, hello])).toEqual([]);
    expect(missingFrom([postgres], [hi, hello])).toEqual([hello]);
    expect(missingFrom([hello], [hello, hello])).toEqual([hello]);
    expect(missingFrom([{ ...hi, at: "2026-01-02T00:00:00Z" }], [hi])).toEqual([hi]);
  });

  it("S90 count as a stranger's words once they are imported, and are not imported twice", () => {
    const imported = markedAsFile(timedMessages(file));
    expect(imported.map(({ message }) => "untrusted" in message && message.untrusted)).toEqual([true, true]);
    expect(missingFrom(imported, timedMessages(file))).toEqual([]);
  });

  it("come back as they were written", () => {
    expect(readSessionFile(JSON.stringify(file))).toEqual({ ok: true, file });
    expect(sessionFileName("s/1")).toBe("session-s-1.json");
    expect(timedMessages(file)).toEqual([
      { message: userMessage("Hi"), at: "2026-01-01T00:00:00.000Z" },
      { message: assistantMessage("Hello") },
    ]);
    expect(timedMessages(file, Date.parse("2025-01-01T00:00:00Z"))[0]).toEqual({ message: userMessage("Hi") });
    const { times: _times, ...older } = file;
    expect(timedMessages(older).map(({ message }) => message)).toEqual(file.messages);
  });

  it.each([
    ["no JSON", "{", "not JSON"],
    ["another file", '{"nodes":{}}', "not contain an exported conversation"],
    ["a role that is none", JSON.stringify({ ...file, messages: [{ role: "root", parts: [] }] }), "messages.0"],
    ["S31 prototype keys", JSON.stringify(file).replace('"name"', '"__proto__"'), "__proto__"],
    ["S32 too many messages", JSON.stringify({ ...file, messages: Array(10_001).fill(userMessage("x")) }), "messages"],
    ["S32 too deep", JSON.stringify({ ...file, extra: JSON.parse("[".repeat(50) + "]".repeat(50)) }), "deeper"],
  ])("are refused in words: %s", (_case, text, words) => {
    const read = readSessionFile(text);
    expect(read.ok ? "" : read.problem).toContain(words);
  });
});
