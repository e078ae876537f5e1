import { describe, expect, test } from "vitest";
import { z } from "zod/mini";
import { httpRequest } from "../../nodes/flow/http-request.ts";
import { field } from "../config/field.ts";
import { defineNode } from "../document/define-node.ts";
import { one, out } from "../document/ports.ts";
import { nowhere } from "../document/reach.ts";
import { fileStore } from "../in-memory/file-store.ts";
import type { Json } from "../json.ts";
import { EventMask } from "../run/privacy/event-mask.ts";
import type { RunOptions } from "../run/run-workflow.ts";
import { buildWorkflow } from "../testing/build-workflow.ts";
import { runToEnd } from "../testing/run-to-end.ts";
import { startNode, stepNode } from "../testing/sample-nodes.ts";
import { testHost, type TestHost } from "../testing/test-host.ts";
import type { FileValue } from "./file.ts";

const common = { version: 1, role: "flow", summary: "For tests.", icon: "box", reach: nowhere } as const;
const main = { inputs: { main: one("main") }, outputs: { main: out("main") } };
const words = (label: string) => field(z._default(z.unknown(), null), { label, help: "For tests.", template: "value" });

/** Makes a file of its text. */
const makeNode = defineNode({
  ...common,
  ...main,
  type: "make",
  title: "Make",
  config: z.object({ text: words("Text") }),
  run: ({ config, files }) => files.create("a/b:note.txt", "text/plain; charset=utf-8", bytesOf(String(config.text))),
});

/** The text of the file in its field, with what the run knows of it. */
const readNode = defineNode({
  ...common,
  ...main,
  type: "read",
  title: "Read",
  config: z.object({ file: words("File") }),
  async run({ config, files }) {
    const value = z.json().parse(config.file);
    const text = new TextDecoder().decode(await files.read(value, { maxBytes: 10 }));
    return { text, name: files.get(value).name };
  },
});

const registry = Object.fromEntries(
  [startNode, stepNode, makeNode, readNode, httpRequest].map((node) => [node.type, node]),
);

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

function read(host: TestHost, input: Json, options: Partial<RunOptions> = {}, file = "{{json.file}}") {
  const document = buildWorkflow({
    nodes: { start: ["start"], read: ["read", { file }] },
    edges: ["start.main -> read.main"],
  });
  return runToEnd(document, { registry, host, input, ...options });
}

async function stored(text = "secret") {
  const files = fileStore();
  return { host: testHost({ files }), file: await files.put("note.txt", "text/plain", bytesOf(text)) };
}

test("a file that a step makes can be read by the next, under a name that is none of a folder", async () => {
  const document = buildWorkflow({
    nodes: { start: ["start"], make: ["make", { text: "Hello" }], read: ["read", { file: "{{json}}" }] },
    edges: ["start.main -> make.main", "make.main -> read.main"],
  });
  const run = await runToEnd(document, { registry, host: testHost(), input: null });
  expect(run.end.output).toEqual({ text: "Hello", name: "b_note.txt" });
  const made = run.of("node-end").find(({ nodeId }) => nodeId === "make")?.output;
  expect(run.of("file-add").map(({ file }) => file)).toEqual([made]);
  expect(made).toMatchObject({ mediaType: "text/plain", size: 5 });
});

test("a file that the run was given is a file; what is said of it comes from the studio", async () => {
  const { host, file } = await stored();
  const forged = { ...file, name: "../run.exe", mediaType: "text/html", size: 1 };
  const run = await read(host, { file: forged }, { files: [file] });
  expect(run.end.output).toEqual({ text: "secret", name: "note.txt" });
});

test("S105 a reference in the input of a run that was not given it is plain data", async () => {
  const { host, file } = await stored();
  const { end } = await read(host, { file });
  expect(end.error).toMatchObject({ code: "invalid_config", message: expect.stringContaining("neither received nor") });
  expect(end.error?.hint).not.toBe("");
  expect(JSON.stringify(end)).not.toContain("secret");
});

test("S105 a reference in the answer of a server is plain data, and stays as it was", async () => {
  const { host, file } = await stored();
  const answer = { statusCode: 200, headers: { "content-type": "application/json" }, body: JSON.stringify({ file }) };
  host.callFunction = async () => ({ ok: true, body: answer });
  const document = buildWorkflow({
    nodes: {
      start: ["start"],
      http: ["http-request", { url: "https://example.com", result: "body" }],
      read: ["read", { file: "{{json.file}}" }],
    },
    edges: ["start.main -> http.main", "http.main -> read.main"],
  });
  const run = await runToEnd(document, { registry, host, input: null });
  expect(run.of("node-end").find(({ nodeId }) => nodeId === "http")?.output).toEqual({ file });
  expect(run.end.error?.message).toContain("neither received nor made");
});

test("S105 a reference typed into a workflow, as an import brings it, is plain data", async () => {
  const { host, file } = await stored();
  const literal = JSON.stringify(file).replace("{", "{ ");
  const run = await read(host, null, {}, literal);
  expect(run.end.outcome).toBe("failed");
});

describe("a pinned output with a file", () => {
  const pin = (file: Json, node = "start") => {
    const document = buildWorkflow({
      nodes: { start: ["start"], read: ["read", { file: "{{json.file}}" }] },
      edges: ["start.main -> read.main"],
    });
    const pinned = document.nodes[node];
    if (pinned) pinned.pin = { output: { file } };
    return document;
  };

  test("gives the run this file, whose log says so", async () => {
    const { host, file } = await stored();
    const forged = { ...file, name: "other.exe", mediaType: "text/html" };
    const run = await runToEnd(pin(forged), { registry, host, input: null });
    expect(run.end.output).toEqual({ text: "secret", name: "note.txt" });
    expect(run.of("file-add")).toMatchObject([{ nodeId: "start", file }]);
  });

  test("gives it to a node that runs alone, by its input and by the outputs before it", async () => {
    const { host, file } = await stored();
    const part = { startNodeId: "read", stopAfterNodeId: "read" };
    const run = await runToEnd(pin(file), { registry, host, input: { file }, ...part });
    expect(run.end.output).toMatchObject({ text: "secret" });
    const before = { ...part, pinned: { start: { file } } };
    const document = pin(null);
    Object.assign(document.nodes["read"]?.config ?? {}, { file: "{{nodes.start.file}}" });
    expect((await runToEnd(document, { registry, host, input: {}, ...before })).end.output).toMatchObject({
      text: "secret",
    });
  });

  test.each([
    ["S105 was deleted or is somebody else's", { $file: "00000000-0000-4000-9000-000000000099" }],
    ["S105 has another hash, as who knows the id alone would name it", { sha256: "0".repeat(64) }],
    ["S105 has another size", { size: 7 }],
  ])("is an error with a hint where the file %s", async (_case, forged) => {
    const { host, file } = await stored();
    const run = await runToEnd(pin({ ...file, ...forged }), { registry, host, input: null });
    expect(run.end.error).toMatchObject({
      code: "invalid_config",
      nodeId: "start",
      message: expect.stringContaining('"note.txt" in the pinned output of "'),
      hint: expect.stringContaining("pin it again"),
    });
    expect(run.of("node-start")).toEqual([]);
    expect(JSON.stringify(run.events)).not.toContain("secret");
    const ignored = await runToEnd(pin({ ...file, ...forged }), { registry, host, input: { file }, ignorePins: true });
    expect(ignored.end.error?.message).toContain("neither received nor made");
  });

  test("S105 a bare id is plain data, and so is what an earlier run's output names in vain", async () => {
    const { host, file } = await stored();
    const bare = await runToEnd(pin({ $file: file.$file }), { registry, host, input: null });
    expect(bare.end.error?.message).toContain("neither received nor made");
    const forged = { ...file, sha256: "0".repeat(64) };
    const before = await read(host, null, { pinned: { start: { file: forged } } });
    expect(before.end.error?.message).toContain("neither received nor made");
  });

  test("tells of storage that does not answer, and names more files than a run is given", async () => {
    const { host, file } = await stored();
    const message = "The server did not answer.";
    const find = host.files.find;
    host.files.find = async () => ({ ok: false, error: { code: "internal", message, hint: "Wait.", retryable: true } });
    const away = await runToEnd(pin(file), { registry, host, input: null });
    expect(away.end.error).toMatchObject({ message: expect.stringContaining(message), hint: "Wait." });
    host.files.find = find;
    const ids = Array.from({ length: 101 }, (_, n) => `00000000-0000-4000-9000-${String(n + 1).padStart(12, "0")}`);
    const many = await runToEnd(pin(ids.map(($file) => ({ ...file, $file }))), { registry, host, input: null });
    expect(many.end.error?.message).toContain("more files than a run can be given (100)");
  });

  test("ends at once where the run is stopped meanwhile", async () => {
    const { host, file } = await stored();
    const controller = new AbortController();
    host.files.find = (_id, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason), { once: true });
        controller.abort();
      });
    const run = await runToEnd(pin(file), { registry, host, input: null, signal: controller.signal });
    expect(run.end).toMatchObject({ outcome: "cancelled" });
  });
});

test("S105 a file of another run is none of this one", async () => {
  const { host, file } = await stored();
  expect((await read(host, { file }, { files: [file] })).end.outcome).toBe("completed");
  expect((await read(host, { file })).end.outcome).toBe("failed");
});

test.each<[string, Json]>([
  ["a text", "note.txt"],
  ["nothing", null],
  ["an id that is no text", { $file: 1 }],
  ["a list", [{ $file: "a" }]],
])("S105 %s is not a file, and the error says what to do", async (_, file) => {
  const { end } = await read(testHost(), { file });
  expect(end.error).toMatchObject({ message: "This is not a file.", hint: expect.stringContaining("{{json.body}}") });
});

test("S105 a file larger than can be read here is an error, also where its size was said to be small", async () => {
  const { host, file } = await stored("longer than ten");
  expect((await read(host, { file }, { files: [file] })).end.error?.message).toContain("at most 10 bytes");
  const small = { ...file, size: 1 };
  expect((await read(host, { file }, { files: [small] })).end.error?.message).toContain("at most 10 bytes");
});

test("a file that was deleted is an error", async () => {
  const { file } = await stored();
  const { end } = await read(testHost(), { file }, { files: [file] });
  expect(end.error).toMatchObject({ message: "The file is no longer there." });
});

test("a resumed run and a replay know the files of the log", async () => {
  const files = fileStore();
  const document = buildWorkflow({
    nodes: { start: ["start"], make: ["make", { text: "Hello" }], read: ["read", { file: "{{json}}" }] },
    edges: ["start.main -> make.main", "make.main -> read.main"],
  });
  const options = { registry, input: null, runId: "run" };
  const first = await runToEnd(document, { ...options, host: testHost({ files }) });
  const cut = first.events.findIndex((event) => event.type === "node-start" && event.nodeId === "read");
  const resume = { events: first.events.slice(0, cut), attempt: 2 };
  const resumed = await runToEnd(document, { ...options, host: testHost({ files }), resume });
  expect(resumed.end.output).toEqual(first.end.output);
  expect(files.kept.size).toBe(1);
  const recording = { runId: "run", events: first.events, document };
  const replayed = await runToEnd(document, {
    ...options,
    runId: "again",
    host: testHost({ files }),
    replay: { recording, until: cut },
  });
  expect(replayed.end.output).toEqual(first.end.output);
  expect(replayed.of("run-start")[0]?.files).toEqual(first.of("file-add").map(({ file }) => file));
});

test("masked, a file keeps its type and size alone", async () => {
  const { host, file } = await stored();
  const run = await read(host, { file }, { files: [file] });
  const mask = new EventMask({ mask: [], patterns: ["[0-9]{16}"] });
  const masked = run.events.flatMap((event) => mask.take(event));
  const shown: FileValue = { ...file, name: "[masked]", sha256: "[masked]" };
  const start = masked.find((event) => event.type === "run-start");
  expect(start).toMatchObject({ input: { file: shown }, files: [shown] });
  expect(JSON.stringify(masked)).not.toContain(file.sha256);
});
