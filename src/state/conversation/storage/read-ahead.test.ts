import { describe, expect, it } from "vitest";
import type { SessionKey } from "../../../engine/host.ts";
import { assistantMessage, messageText, userMessage } from "../../../engine/model/message.ts";
import { memoryStore } from "../../../engine/in-memory/memory-store.ts";
import { createReadAhead } from "./read-ahead.ts";

const key: SessionKey = { workflowId: "w", sessionId: "chat" };
const pad: SessionKey = { workflowId: "w", sessionId: "chat:scratchpad" };

/** A store that counts what is read of it, by session, and can fail. */
function world() {
  let now = 0;
  const inner = memoryStore();
  const reads: string[] = [];
  let broken = false;
  const store = {
    ...inner,
    load: async (...args: Parameters<typeof inner.load>) => {
      reads.push(args[0].sessionId);
      if (broken) throw new Error("No connection.");
      return inner.load(...args);
    },
  };
  const ahead = createReadAhead(() => now);
  const kept = ahead.through(store, "plain");
  // As a write goes over the network.
  const write = ahead.noticing(() => Promise.resolve(new Response()));
  const read = async (of: SessionKey = key, limit = 10) =>
    (await kept.load(of, { limit })).map((each) => messageText(each));
  return {
    ahead,
    kept,
    read,
    reads: () => reads.splice(0),
    wait: (ms: number) => (now += ms),
    fail: (next: boolean) => (broken = next),
    say: async (text: string) => {
      await kept.append(key, [userMessage(text), assistantMessage("Yes.")]);
      await write("/rest/v1/studio_agent_memory", { method: "POST" });
    },
    look: () => write("/rest/v1/studio_agent_memory"),
    /** A store of the next run. */
    next: () => ahead.through(store, "plain").load(key, { limit: 10 }),
    elsewhere: (text: string) => inner.add(key, userMessage(text)),
  };
}

describe("reading a conversation ahead", () => {
  it("reads what the last run read, with what is kept beside it, and gives each once", async () => {
    const { ahead, read, reads, say } = world();
    await say("My cat is Tom");
    ahead.begin("w", "chat");
    expect(reads()).toEqual([]);
    await read();
    await read(pad);
    expect(reads()).toEqual(["chat", "chat:scratchpad"]);
    ahead.begin("w", "chat");
    ahead.begin("w", "chat");
    expect(reads().toSorted()).toEqual(["chat", "chat:scratchpad"]);
    expect(await read()).toEqual(["My cat is Tom", "Yes."]);
    expect(await read(pad)).toEqual([]);
    expect(reads()).toEqual([]);
    await read();
    expect(reads()).toEqual(["chat"]);
  });

  it("reads nothing of other conversations and workflows, and nothing for another question", async () => {
    const { ahead, read, reads } = world();
    await read();
    reads();
    ahead.begin("w", "other");
    ahead.begin("v", "chat");
    expect(reads()).toEqual([]);
    ahead.begin("w", "chat");
    await read(key, 4);
    expect(reads()).toEqual(["chat", "chat"]);
  });

  it("reads anew after a write of this tab and after three seconds, but not after a look", async () => {
    const { ahead, read, reads, say, wait, elsewhere, look } = world();
    await read();
    ahead.begin("w", "chat");
    await say("My cat is Tom");
    expect(await read()).toEqual(["My cat is Tom", "Yes."]);
    ahead.begin("w", "chat");
    elsewhere("And my dog is Rex");
    wait(3_000);
    expect(await read()).toHaveLength(3);
    ahead.begin("w", "chat");
    elsewhere("Hello");
    await look();
    expect(await read()).toHaveLength(3);
    expect(reads()).toHaveLength(6);
  });

  it("is for the next run, whose store is another one", async () => {
    const { ahead, read, reads, next } = world();
    await read();
    ahead.begin("w", "chat");
    await next();
    expect(reads()).toHaveLength(2);
  });

  it("asks again where reading ahead failed, and gives nothing to a run that was stopped", async () => {
    const { ahead, kept, read, say, fail } = world();
    await say("My cat is Tom");
    await read();
    fail(true);
    ahead.begin("w", "chat");
    fail(false);
    expect(await read()).toHaveLength(2);
    ahead.begin("w", "chat");
    const stop = new AbortController();
    const stopped = kept.load(key, { limit: 10, signal: stop.signal });
    stop.abort(new Error("Stopped."));
    await expect(stopped).rejects.toThrow("Stopped.");
  });
});
