import { setTimeout as wait } from "node:timers/promises";
import type { AnyNodeDefinition } from "../../src/engine/document/define-node.ts";
import type { JsonObject } from "../../src/engine/json.ts";
import { messageText } from "../../src/engine/model/message.ts";
import { testHost } from "../../src/engine/testing/test-host.ts";
import { openConnections } from "../../src/host/host-connections.ts";
import { createMessageStore } from "../../src/state/conversation/storage/message-store.ts";
import { sendTurn } from "../../src/state/conversation/storage/send-turn.ts";
import { createUnsavedTurns, type WaitingTurn } from "../../src/state/conversation/storage/unsaved-turns.ts";
import { bufferMemory } from "../../src/nodes/memories/buffer-memory.ts";
import { chatWithMemory } from "../../src/nodes/memories/testing/chat-with-memory.ts";
import { vectorMemory } from "../../src/nodes/memories/vector-memory.ts";
import { windowMemory } from "../../src/nodes/memories/window-memory.ts";
import type { BrowserTable } from "../../src/services/services.ts";
import type { FaultCheck, FaultWorld } from "./fault-world.ts";

const loads = /^GET \/rest\/v1\/studio_agent_memory/;
const appends = /^POST \/rest\/v1\/rpc\/studio_(remember_turn|append_memory)/;
const everything = /studio_/;

/** What a browser keeps of waiting turns, for as long as the "browser" of a round lives. */
function keptRows(): BrowserTable<WaitingTurn> {
  const rows = new Map<string, WaitingTurn>();
  return {
    put: async (row) => Boolean(rows.set(row.id, structuredClone(row))),
    get: async (id) => rows.get(id),
    all: async () => [...rows.values()],
    remove: async (id) => void rows.delete(id),
    clear: async () => rows.clear(),
  };
}

const memories: { node: AnyNodeDefinition; config: JsonObject }[] = [
  { node: bufferMemory, config: { storage: "postgres" } },
  { node: windowMemory, config: { maxMessages: 50 } },
  { node: vectorMemory, config: { maxMessages: 50, provider: "demo" } },
];

/** One conversation of a tab whose memory is the database behind the proxy. */
async function conversation({ client, functions, newWorkflow }: FaultWorld, index: number) {
  const { database } = client;
  const workflow = await newWorkflow();
  const table = keptRows();
  const { node, config } = memories[index % memories.length]!;
  const openTab = () => {
    const send = (write: WaitingTurn["write"]) => sendTurn({ database, functions }, write);
    const unsavedTurns = createUnsavedTurns({ table, send, pauseMs: 3_600_000 });
    unsavedTurns.use("owner");
    const host = testHost();
    host.newId = () => crypto.randomUUID();
    // Pauses are short; time limits are not reached.
    host.sleep = (ms, signal) => (ms < 10_000 ? wait(10) : wait(ms, undefined, { signal, ref: false }));
    Object.assign(host, openConnections({ ...functions, database, unsavedTurns }));
    return { unsavedTurns, say: (message: string) => chatWithMemory(node, message, { host, config, workflow }) };
  };
  const kept = async () => {
    const key = { workflowId: workflow, sessionId: `${workflow}:default` };
    return (await createMessageStore(database).load(key, {})).map(messageText).join(" | ");
  };
  return { openTab, kept };
}

/** A save fails, or only its answer is lost: the turn is remembered once. */
export const memorySaveFails: FaultCheck = {
  name: "a turn whose save fails twice, or whose answer is lost",
  async round(world, index) {
    const { openTab, kept } = await conversation(world, index);
    const { say } = openTab();
    const faults = (["unavailable", "drop-answer", "cut"] as const).filter((_, place) => place !== index % 3);
    world.proxy.breakNext(appends, ...faults);
    const { of } = await say("One");
    return of("retry").length === 2 && of("memory-error").length === 0 && (await kept()) === "One | Re: One";
  },
};

/** A load fails: the conversation is known all the same. */
export const memoryLoadFails: FaultCheck = {
  name: "a conversation whose load fails twice",
  async round(world, index) {
    const { openTab } = await conversation(world, index);
    const { say } = openTab();
    await say("One");
    world.proxy.breakNext(loads, "unavailable", index % 2 === 0 ? "cut" : "unavailable");
    const { sent, of } = await say("Two");
    return of("memory-error").length === 0 && sent.join(" | ") === "One | Re: One | Two";
  },
};

/** Turns are made without a connection, the tab is closed, and another visit has one: all are remembered once, in order. */
export const turnsMadeOffline: FaultCheck = {
  name: "turns made while offline, saved by a later visit",
  async round(world, index) {
    const { openTab, kept } = await conversation(world, index);
    const first = openTab();
    await first.say("One");
    const reconnect = world.proxy.disconnect(everything);
    for (const message of ["Two", "Three"]) await first.say(message);
    const pending = first.unsavedTurns.list().length;
    reconnect();
    // The answer to one of the late saves is lost as well.
    world.proxy.breakNext(appends, "drop-answer");
    const later = openTab();
    for (let turn = 0; turn < 50; turn += 1) {
      await later.unsavedTurns.retry();
      if (later.unsavedTurns.list().length === 0) break;
    }
    await Promise.all([first.unsavedTurns.retry(), later.unsavedTurns.retry()]);
    return pending === 2 && (await kept()) === "One | Re: One | Two | Re: Two | Three | Re: Three";
  },
};
