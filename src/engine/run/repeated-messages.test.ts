import { expect, it } from "vitest";
import { assistantMessage, type Message, userMessage } from "../model/message.ts";
import type { EventOf, RunEvent } from "./events.ts";
import { EventPacker, EventUnpacker } from "./stored-events.ts";

const picture = `data:image/png;base64,${"A".repeat(400)}`;

function request(seq: number, messages: Message[], rest: Partial<EventOf<"model-request">> = {}): RunEvent {
  return {
    runId: "run",
    seq,
    at: seq,
    type: "model-request",
    nodeId: "agent",
    modelNodeId: "model",
    edgeId: "edge",
    callId: `call-${seq}`,
    iteration: seq,
    purpose: "answer",
    provider: "demo",
    model: "demo",
    settings: {},
    messages,
    tools: [{ name: "read", description: "Reads a page.", parameters: { type: "object" } }],
    toolChoice: "auto",
    ...rest,
  };
}

/** A conversation that grows by one question and one answer a round. */
function conversation(rounds: number): RunEvent[] {
  const messages: Message[] = [];
  return Array.from({ length: rounds }, (_round, index) => {
    messages.push(userMessage(`Question ${index} ${"x".repeat(1_000)}`));
    const event = request(index, [...messages]);
    messages.push(assistantMessage(`Answer ${index} ${"y".repeat(1_000)}`));
    return event;
  });
}

function stored(events: readonly RunEvent[]): RunEvent[] {
  const packer = new EventPacker();
  return events.map((event) => JSON.parse(JSON.stringify(packer.pack(event))));
}

function read(events: readonly RunEvent[]): RunEvent[] {
  const unpacker = new EventUnpacker();
  return events.map((event) => unpacker.unpack(event));
}

it("stores a conversation once, however often it is sent, and reads it as it was", () => {
  const events = conversation(45);
  const packed = stored(events);
  expect(read(packed)).toEqual(events);
  expect(JSON.stringify(packed).length).toBeLessThan(150_000);
  expect(JSON.stringify(events).length).toBeGreaterThan(2_000_000);
});

it("keeps what a turn took out or put in the middle", () => {
  const [one, two, three] = [userMessage("One"), assistantMessage("Two"), userMessage("Three")];
  const events = [
    request(0, [one, two, three]),
    request(1, [one, userMessage("Summary"), three]),
    request(2, [one]),
    request(3, [one, userMessage("Other")], { tools: [] }),
  ];
  expect(read(stored(events))).toEqual(events);
});

it("keeps agents and items apart", () => {
  const events = [
    request(0, [userMessage("A")]),
    request(1, [userMessage("B")], { parentCallId: "call" }),
    request(2, [userMessage("A"), userMessage("C")]),
    request(3, [userMessage("B"), userMessage("D")], { parentCallId: "call" }),
    request(4, [userMessage("A")], { item: 1 }),
  ];
  const packed = stored(events);
  expect(packed.map((event) => "repeats" in event)).toEqual([false, false, true, true, false]);
  expect(read(packed)).toEqual(events);
});

it("finds a picture that a request repeats, and one that comes again after what was left out", () => {
  const seen: Message = { role: "user", parts: [{ type: "image", url: picture }] };
  const events = [
    request(0, [seen]),
    request(1, [seen, userMessage("Again"), seen]),
    request(2, [userMessage("No"), seen]),
  ];
  const packed = stored(events);
  expect(JSON.stringify(packed).split("A".repeat(400))).toHaveLength(2);
  expect(read(packed)).toEqual(events);
});

it("reads what was stored before requests were shortened", () => {
  const events = conversation(3);
  expect(read(events)).toEqual(events);
});
