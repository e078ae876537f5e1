import { describe, expect, it } from "vitest";
import { aiAgent } from "./ai-agent.ts";
import { setFields } from "../flow/set-fields.ts";
import { testTool } from "../../engine/testing/run-scripted-agent.ts";
import { buildWorkflow } from "../../engine/testing/build-workflow.ts";
import { runToEnd } from "../../engine/testing/run-to-end.ts";
import { startNode } from "../../engine/testing/sample-nodes.ts";
import { scriptedModel } from "../../engine/testing/scripted-model.ts";
import { modelNodeOf, toolNodeOf } from "../../engine/testing/service-node.ts";
import { testHost } from "../../engine/testing/test-host.ts";
import type { ModelRequest } from "../../engine/model/chat-model.ts";
import { userMessage } from "../../engine/model/message.ts";
import type { Json } from "../../engine/json.ts";
import type { RunEvent } from "../../engine/run/events.ts";
import { reduceRunAll } from "../../engine/run/reduce-run.ts";
import { emptyRunState } from "../../engine/run/run-state.ts";
import { compareRuns } from "../../engine/run/replay/compare-runs.ts";
import { recordingOf } from "../../engine/run/replay/recording.ts";
import type { ReplayOptions } from "../../engine/run/replay/replay-options.ts";
import { EventPacker, EventUnpacker } from "../../engine/run/stored-events.ts";

const bytes = "iVBORw0KGgo".repeat(100);
const cat = `data:image/png;base64,${bytes}`;
const report = `data:application/pdf;base64,${"JVBERi0xLjc".repeat(100)}`;
const photo = "UklGRhIAAABXRUJQ".repeat(100);

/** An agent that sees a picture and whose camera gives another one. */
function vision() {
  const model = scriptedModel(
    ({ messages }: ModelRequest) =>
      messages.at(-1)?.role === "tool"
        ? { text: "A cat." }
        : { calls: [{ name: "camera", arguments: {}, callId: "c1" }] },
    { capabilities: { vision: true, files: ["pdf"] } },
  );
  const camera = testTool("camera", () => ({ ok: true, output: [{ type: "image", data: photo }], text: "[image]" }));
  const nodes = [startNode, aiAgent, modelNodeOf("m", model), toolNodeOf("camera-tool", camera)];
  const registry = Object.fromEntries(nodes.map((node) => [node.type, node]));
  const document = buildWorkflow({
    nodes: {
      start: ["start"],
      agent: ["ai-agent", { outputFormat: "full" }],
      model: ["m"],
      camera: ["camera-tool"],
    },
    edges: ["start.main -> agent.main", "model.model -> agent.model", "camera.tool -> agent.tools"],
  });
  const run = (replay?: ReplayOptions) =>
    runToEnd(document, {
      registry,
      host: testHost(),
      input: { message: "What is this?", images: [cat], files: [{ url: report }] },
      ...(replay ? { replay } : {}),
    });
  return { model, camera, run };
}

/** Through a database: packed, without identity, with keys in another order. */
function stored(events: readonly RunEvent[]): RunEvent[] {
  const packer = new EventPacker();
  const turn = (_key: string, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toReversed())
      : value;
  return events.map((event) => JSON.parse(JSON.stringify(packer.pack(event), turn)) as RunEvent);
}

function unpackPictures(rows: readonly RunEvent[]): RunEvent[] {
  const unpacker = new EventUnpacker();
  return rows.map((row) => unpacker.unpack(row));
}

const countOf = (part: string, value: unknown) => JSON.stringify(value).split(part).length - 1;

describe("a run with pictures", () => {
  it("stores each picture and file once, and comes back as it was", async () => {
    const { events } = await vision().run();
    expect(countOf(cat, events)).toBeGreaterThan(4);
    expect(countOf(photo, events)).toBeGreaterThan(2);
    const rows = stored(events);
    expect([countOf(bytes, rows), countOf(photo, rows), countOf(report, rows)]).toEqual([1, 1, 1]);
    expect(unpackPictures(rows)).toEqual(events);
  });

  it("is replayed and forked from what was stored, with the picture sent to the model", async () => {
    const { events } = await vision().run();
    const recording = recordingOf(unpackPictures(stored(events)));

    const replayed = vision();
    const again = await replayed.run({ recording });
    expect(replayed.model.requests).toEqual([]);
    expect(again.end).toMatchObject({ outcome: "completed", output: { response: "A cat." } });

    const forked = vision();
    const fork = await forked.run({ recording, changes: { c1: { kind: "result", ok: true, output: "dark" } } });
    expect(forked.model.requests[0]?.messages[1]).toEqual({
      ...userMessage("What is this?"),
      parts: [
        { type: "text", text: "What is this?" },
        { type: "image", url: cat },
        { type: "file", url: report },
      ],
    });
    const states = [unpackPictures(stored(events)), fork.events].map((each) =>
      reduceRunAll(emptyRunState(each[0]?.runId ?? ""), each),
    );
    const [left, right] = states;
    expect(left && right && compareRuns(left, right).steps.map(({ differences }) => differences)).toEqual([
      [],
      ["result"],
      ["request"],
    ]);
  });
});

describe("a run with a large input", () => {
  const hook = () =>
    buildWorkflow({
      nodes: { start: ["start"], one: ["set-fields"], two: ["set-fields"] },
      edges: ["start.main -> one.main", "one.main -> two.main"],
    });
  const registry = Object.fromEntries([startNode, setFields].map((node) => [node.type, node]));
  const run = async (input: Json) => (await runToEnd(hook(), { registry, host: testHost(), input })).events;

  it.each([
    ["a text", { body: "long words ".repeat(1_000) }, "long words ".repeat(1_000)],
    ["many values", { body: Array.from({ length: 2_000 }, (_, index) => `row ${index}`) }, '"row 1234"'],
    ["many values and a picture", { images: [cat], body: Array.from({ length: 2_000 }, (_, n) => `row ${n}`) }, bytes],
  ])("stores %s once, and comes back as it was", async (_, input, part) => {
    const events = await run(input);
    expect(countOf(part, events)).toBe(8);
    const rows = stored(events);
    expect(countOf(part, rows)).toBe(1);
    expect(unpackPictures(rows)).toEqual(events);
  });

  it("S48 takes texts in it that look like references for the texts they are", async () => {
    const input = {
      a: ["switchyard-picture:0/input", "switchyard-picture:=x"],
      b: "long words ".repeat(1_000),
      c: [cat],
    };
    const events = await run(input);
    expect(unpackPictures(stored(events))).toEqual(events);
  });

  it("ends where a stored reference leads to itself", () => {
    const inside = {
      runId: "r",
      seq: 0,
      at: 0,
      type: "node-start",
      nodeId: "n",
      input: { a: "switchyard-picture:0/input" },
    };
    const [event] = unpackPictures([inside as RunEvent]);
    expect(event).toMatchObject({ input: { a: { a: "switchyard-picture:0/input" } } });
  });
});

describe("stored pictures", () => {
  const log = (seq: number, data: string | string[]): RunEvent => {
    return { runId: "r", seq, at: seq, type: "log", level: "info", message: "m", data };
  };

  it("leave other texts and the events of runs stored before alone", () => {
    const packer = new EventPacker();
    const events = [log(0, "x".repeat(100)), log(1, "long words ".repeat(100)), log(2, "long words ".repeat(100))];
    for (const event of events) expect(packer.pack(event)).toBe(event);
    const old = [log(0, cat), log(1, cat)];
    expect(unpackPictures(old).every((event, index) => event === old[index])).toBe(true);
  });

  it("S48 take a text that looks like a reference for the text it is", () => {
    const forged = [
      "switchyard-picture:0/data",
      "switchyard-picture:=x",
      "switchyard-picture:",
      "a switchyard-picture:0/data",
    ];
    const events = [log(0, cat), log(1, forged), log(2, [cat, ...forged])];
    expect(unpackPictures(stored(events))).toEqual(events);
    const untold = [log(0, forged)];
    expect(unpackPictures(untold)[0]).toMatchObject({
      data: ["switchyard-picture:0/data", "x", "switchyard-picture:", forged[3]],
    });
  });

  it("are found under keys with slashes and tildes", () => {
    const place = { "a/b": { "~1": cat } };
    const event: RunEvent = { runId: "r", seq: 3, at: 0, type: "node-start", nodeId: "n", input: [place, place, cat] };
    const rows = stored([event, log(4, cat)]);
    expect(countOf(bytes, rows)).toBe(1);
    expect(unpackPictures(rows)).toEqual([event, log(4, cat)]);
  });
});
