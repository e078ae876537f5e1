import { expect, test } from "vitest";
import type { FileValue } from "../../engine/file/file.ts";
import { fileStore } from "../../engine/in-memory/file-store.ts";
import type { JsonObject } from "../../engine/json.ts";
import { buildWorkflow } from "../../engine/testing/build-workflow.ts";
import { runToEnd } from "../../engine/testing/run-to-end.ts";
import { startNode } from "../../engine/testing/sample-nodes.ts";
import { testHost } from "../../engine/testing/test-host.ts";
import { httpRequest } from "../flow/http-request.ts";

const registry = Object.fromEntries([startNode, httpRequest].map((node) => [node.type, node]));

/** Gets a file, and sends something with the second request. */
async function pass(second: JsonObject, given?: FileValue) {
  const files = fileStore();
  const file = given ?? (await files.put("a.png", "image/png", "bytes"));
  const host = testHost({
    files,
    functions: {
      "execute-http": ({ method }) => {
        const body: JsonObject = method === "GET" ? { body: null, file } : { body: "taken" };
        return { ok: true, body: { statusCode: 200, ...body } };
      },
    },
  });
  const document = buildWorkflow({
    nodes: {
      start: ["start"],
      get: ["http-request", { url: "https://a.test/a.png", binary: "file" }],
      send: ["http-request", { url: "https://b.test", method: "POST", ...second }],
    },
    edges: ["start.main -> get.main", "get.main -> send.main"],
  });
  const run = await runToEnd(document, { registry, host, input: { forged: file } });
  return { run, file, sent: host.functionCalls[1]?.body };
}

test("a file that was fetched is sent on as bytes, and the log names it", async () => {
  const { run, file, sent } = await pass({ body: "{{json.body}}" });
  expect(run.end.outcome).toBe("completed");
  expect(sent).toMatchObject({ file: file.$file });
  expect(sent).not.toHaveProperty("body");
  expect(run.of("log").at(-1)?.data).toMatchObject({ request: { body: file } });
  expect(run.of("file-add").map((event) => event.file)).toEqual([file]);
});

test("a form takes files and texts", async () => {
  const { sent, file } = await pass({
    bodyType: "multipart",
    parts: { file: "{{json.body}}", title: "A {{json.body.name}}", page: 2 },
  });
  expect(sent?.["parts"]).toEqual([
    { name: "file", file: file.$file },
    { name: "title", value: "A a.png" },
    { name: "page", value: "2" },
  ]);
});

test("S105 what only looks like a file is sent as the JSON that it is", async () => {
  const other = { $file: "00000000-0000-4000-9000-000000000099", name: "a", mediaType: "a/b", size: 1 };
  const { sent } = await pass({ body: JSON.stringify(other) });
  expect(sent).not.toHaveProperty("file");
  expect(JSON.parse(String(sent?.["body"]))).toEqual(other);
});

test("an answer that is no text leaves a note in the log where it is not kept", async () => {
  const host = testHost({
    functions: {
      "execute-http": () => ({ ok: true, body: { statusCode: 200, body: "[binary, image/png, 70 bytes]" } }),
    },
  });
  const document = buildWorkflow({
    nodes: { start: ["start"], get: ["http-request", { url: "https://a.test" }] },
    edges: ["start.main -> get.main"],
  });
  const run = await runToEnd(document, { registry, host, input: null });
  expect(run.end.output).toMatchObject({ body: "[binary, image/png, 70 bytes]" });
  expect(run.of("log").at(-1)).toMatchObject({ level: "warn", message: expect.stringContaining("not text") });
  expect(host.functionCalls[0]?.body).not.toHaveProperty("binary");
});
