import { createHash, randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { HookDoorConfig } from "../../../../src/doors/hook-door.ts";
import { type FileValue, fileSchema } from "../../../../src/engine/file/file.ts";
import type { JsonObject } from "../../../../src/engine/json.ts";
import { buildWorkflow, type WorkflowSketch } from "../../../../src/engine/testing/build-workflow.ts";
import { startWorkerWorld, type WorkerWorld } from "../../../../worker/testing/worker-world.ts";

let world: WorkerWorld;

beforeAll(async () => {
  world = await startWorkerWorld();
});
afterAll(() => world.stop());

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

const echo: WorkflowSketch = { nodes: { hook: ["webhook-trigger"] }, edges: [] };
/** Reads the file of the field "file", or the body itself. */
const reading: WorkflowSketch = {
  nodes: { hook: ["webhook-trigger"], read: ["read-file", { file: "{{json.body.file}}" }] },
  edges: ["hook.main -> read.main"],
};

async function hook(sketch: WorkflowSketch, config: Partial<HookDoorConfig> = {}, limits?: JsonObject) {
  const slug = `hook-${randomUUID().slice(0, 8)}`;
  const workflow = await world.publish(buildWorkflow({ id: randomUUID(), name: slug, ...sketch }), limits);
  const { error } = await world.user.client.rpc("studio_save_door", {
    p_workflow_id: workflow,
    p_kind: "hook",
    p_enabled: true,
    p_config: { scheme: "none", answer: "output", keepFiles: true, ...config },
    p_secrets: null,
  });
  if (error) throw new Error(error.message);
  return { workflow, slug };
}

const send = (slug: string, body: BodyInit, headers: Record<string, string> = {}, path = "") =>
  fetch(`${world.stack.url}/hooks/${slug}${path}`, { method: "POST", body, headers });

const bodyOf = async (response: Response): Promise<JsonObject> =>
  ((await response.json()) as JsonObject)["body"] as JsonObject;

function form(entries: readonly (readonly [string, string | File])[]): FormData {
  const data = new FormData();
  for (const [name, value] of entries) data.append(name, value);
  return data;
}

const fileCount = async () =>
  (await world.stack.sql("select id from public.studio_files where owner = $1", [world.user.userId])).length;

test("the files of a form become files of the run, which a step reads", async () => {
  const { slug } = await hook(echo);
  const body = await bodyOf(
    await send(
      slug,
      form([
        ["note", "Hi"],
        ["picture", new File([png], "../a.png", { type: "image/png" })],
        ["list", new File(["a,b"], "one.csv", { type: "text/csv" })],
        ["list", new File(["c,d"], "two.csv", { type: "text/csv" })],
      ]),
    ),
  );
  expect(body).toMatchObject({
    note: "Hi",
    picture: {
      $file: expect.any(String),
      name: "a.png",
      mediaType: "image/png",
      size: png.length,
      sha256: sha256(png),
    },
    list: [{ name: "one.csv", size: 3 }, { name: "two.csv" }],
  });
  const reader = await hook(reading);
  const read = await send(reader.slug, form([["file", new File(["Hello Ada"], "note.txt", { type: "text/plain" })]]));
  expect(await read.json()).toMatchObject({ text: "Hello Ada" });
});

test("a body that is no text is a file, and goes out again as the answer", async () => {
  const { workflow, slug } = await hook(
    {
      nodes: { hook: ["webhook-trigger"], answer: ["respond", { bodyType: "json", json: "{{json.body}}" }] },
      edges: ["hook.main -> answer.main"],
    },
    { answer: "respond" },
  );
  const answer = await send(slug, png, {
    "content-type": "image/png",
    "content-disposition": 'attachment; filename="cat.png"',
  });
  expect(answer.headers.get("content-type")).toBe("image/png");
  expect(answer.headers.get("content-disposition")).toContain("cat.png");
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(png);
  const [run] = await world.stack.sql<{ input: { value: { body: FileValue } } }>(
    "select input from public.studio_runs where workflow_id = $1",
    [workflow],
  );
  expect(fileSchema.parse(run?.input.value.body)).toMatchObject({ name: "cat.png", mediaType: "image/png" });
  expect(JSON.stringify(run).length).toBeLessThan(2_000);
});

test("a webhook of before there were files gives base64, and text stays text with files on", async () => {
  const old = await hook(echo, { keepFiles: false });
  expect(await bodyOf(await send(old.slug, png, { "content-type": "image/png" }))).toEqual({
    type: "image/png",
    size: png.length,
    base64: png.toString("base64"),
  });
  const { slug } = await hook(echo);
  expect(await bodyOf(await send(slug, '{"a":1}', { "content-type": "application/json" }))).toEqual({ a: 1 });
  expect(await bodyOf(await send(slug, "Hi", { "content-type": "text/plain" }))).toBe("Hi");
  expect(await bodyOf(await send(slug, "a=1", { "content-type": "application/x-www-form-urlencoded" }))).toEqual({
    a: "1",
  });
  expect(await bodyOf(await send(slug, Uint8Array.from([255, 0, 1])))).toMatchObject({ name: "upload", size: 3 });
});

test("a document sent as the body is a file where files are kept, and text where they are not", async () => {
  const { slug } = await hook(echo);
  const csv = (to: string) => send(to, "a,b\n1,2", { "content-type": "text/csv; charset=utf-8" });
  expect(await bodyOf(await csv(slug))).toMatchObject({ name: "upload.csv", mediaType: "text/csv", size: 7 });
  for (const type of ["text/html", "text/markdown", "application/csv", "image/svg+xml"])
    expect(await bodyOf(await send(slug, "x", { "content-type": type })), type).toMatchObject({ mediaType: type });
  for (const type of ["text/xml", "application/xml", "application/yaml"])
    expect(await bodyOf(await send(slug, "x", { "content-type": type })), type).toBe("x");
  const reader = await hook({
    nodes: { hook: ["webhook-trigger"], read: ["read-file", { file: "{{json.body}}" }] },
    edges: ["hook.main -> read.main"],
  });
  expect(await (await csv(reader.slug)).json()).toMatchObject({ kind: "csv" });
  const off = await hook(echo, { keepFiles: false });
  expect(await bodyOf(await csv(off.slug))).toBe("a,b\n1,2");
});

test("an output that is a file, or has one field that is, is answered with its bytes; one with more is JSON", async () => {
  const answering = (fields: JsonObject) =>
    hook({
      nodes: { hook: ["webhook-trigger"], out: ["set-fields", { fields, keepInput: false }] },
      edges: ["hook.main -> out.main"],
    });
  const post = async (fields: JsonObject) => send((await answering(fields)).slug, png, { "content-type": "image/png" });
  const sole = await post({ picture: "{{json.body}}" });
  expect(sole.headers.get("content-type")).toBe("image/png");
  expect(Buffer.from(await sole.arrayBuffer())).toEqual(png);
  const file = { $file: expect.any(String), mediaType: "image/png" };
  expect(await (await post({ picture: "{{json.body}}", note: "Hi" })).json()).toMatchObject({
    picture: file,
    note: "Hi",
  });
  expect(await (await post({ pictures: ["{{json.body}}"] })).json()).toMatchObject({ pictures: [file] });
});

test("S105 a reference in a body, of a file that exists, is plain data", async () => {
  const { slug } = await hook(echo);
  const picture = await bodyOf(await send(slug, png, { "content-type": "image/png" }));
  const reader = await hook(reading);
  const forged = await send(reader.slug, JSON.stringify({ file: picture }), { "content-type": "application/json" });
  expect(forged.status).toBe(502);
  const [run] = await world.stack.sql<{ error: { message: string } }>(
    "select error from public.studio_runs where workflow_id = $1",
    [reader.workflow],
  );
  expect(run?.error.message).toBe("This looks like a file, but this run neither received nor made it.");
  const text = JSON.stringify(picture);
  const beside = form([
    ["file", text],
    ["other", new File(["x"], "x.txt")],
  ]);
  expect(await (await send(reader.slug, beside)).json()).toMatchObject({ text });
});

test("the same delivery again keeps nothing more", async () => {
  const { slug } = await hook(echo);
  const body = () => form([["file", new File(["again"], "again.txt", { type: "text/plain" })]]);
  // The boundary of a form is another each time: what counts is what it says.
  const key = { "idempotency-key": randomUUID() };
  const first = await bodyOf(await send(slug, body(), key));
  const count = await fileCount();
  const second = await send(slug, body(), key);
  expect(await bodyOf(second)).toEqual(first);
  expect(await fileCount()).toBe(count);
  const other = await send(slug, form([["file", new File(["other"], "again.txt", { type: "text/plain" })]]), key);
  expect(other.status).toBe(422);
  expect(await fileCount()).toBe(count);
});

test("S62 fields of a form count against the limit of the input, its files against that of files", async () => {
  const { slug } = await hook(echo, {}, { inputMb: 0.01 });
  const file = (bytes: number) => new File([new Uint8Array(bytes)], "zeros.bin");
  expect((await send(slug, form([["file", file(2_000_000)]]))).status).toBe(200);
  const long = await send(
    slug,
    form([
      ["note", "x".repeat(20_000)],
      ["file", file(10)],
    ]),
  );
  expect(long.status).toBe(413);
  expect(await long.json()).toMatchObject({ code: "too_large", detail: expect.stringContaining("0.01 MB") });
  const large = await send(slug, form([["file", file(17 * 1024 * 1024)]]));
  expect(await bodyOf(large)).toMatchObject({ file: { size: 17 * 1024 * 1024 } });
});

test("S62 what is signed or has no announced size is held, and may have 16 MB", async () => {
  const bytes = new Uint8Array(17 * 1024 * 1024);
  const type = { "content-type": "application/octet-stream" };
  const count = await fileCount();
  const signed = await hook(echo, { scheme: "github" });
  expect((await send(signed.slug, bytes, type)).status).toBe(413);
  const { slug } = await hook(echo);
  const unannounced: RequestInit & { duplex: "half" } = {
    method: "POST",
    headers: type,
    body: new Blob([bytes]).stream(),
    duplex: "half",
  };
  const refused = await fetch(`${world.stack.url}/hooks/${slug}`, unannounced);
  expect([refused.status, await refused.json()]).toMatchObject([413, { code: "too_large" }]);
  expect(await fileCount()).toBe(count);
});

test("S62 nothing is kept of a request whose sender is not known, whose form breaks off, or that starts nothing", async () => {
  const count = await fileCount();
  const form = (end: string) =>
    `--b\r\ncontent-disposition: form-data; name="f"; filename="a.txt"\r\n\r\n${"x".repeat(200_000)}${end}`;
  const type = { "content-type": "multipart/form-data; boundary=b" };
  const known = await hook(echo, { scheme: "bearer" });
  const unknown = await send(known.slug, form("\r\n--b--"), type);
  expect([unknown.status, await unknown.json()]).toMatchObject([401, { code: "not_verified" }]);
  const { slug } = await hook(echo);
  const broken = await send(slug, form(""), type);
  expect([broken.status, await broken.json()]).toMatchObject([400, { detail: "The multipart form cannot be read." }]);
  const other = await hook({ nodes: { start: ["manual-trigger"] }, edges: [] });
  expect((await send(other.slug, form("\r\n--b--"), type)).status).toBe(404);
  expect(await fileCount()).toBe(count);
});

test("S95 bytes of files count as what a sender may send in a day, before they are stored", async () => {
  const { slug } = await hook(echo, {}, { senderMbPerDay: 0.0001 });
  const count = await fileCount();
  const file = new File([new Uint8Array(300_000)], "large.bin");
  const refused = await send(slug, form([["file", file]]));
  expect(refused.status).toBe(429);
  expect(await refused.json()).toMatchObject({ code: "daily_share", detail: expect.stringContaining("as much data") });
  expect(await fileCount()).toBe(count);
});

test("S95 bytes that start nothing count as well, so that nobody stores more than a day's share", async () => {
  // What the tests before have sent counts as well.
  await world.stack.sql("delete from private.studio_sender_days");
  // A sender on the same machine may send twenty times as much.
  const { slug } = await hook(echo, {}, { senderMbPerDay: 0.05 });
  const type = { "content-type": "multipart/form-data; boundary=b" };
  const broken = `--b\r\ncontent-disposition: form-data; name="f"; filename="a"\r\n\r\n${"x".repeat(700_000)}`;
  expect((await send(slug, broken, type)).status).toBe(400);
  expect((await send(slug, broken, type)).status).toBe(429);
});

test("S65 a full account answers 507 in words and keeps nothing", async () => {
  const { slug } = await hook(echo);
  const [, count] = [
    await world.stack.sql(
      "update private.studio_usage set bytes = (select most from private.studio_quotas where kind = 'bytes') where owner = $1",
      [world.user.userId],
    ),
    await fileCount(),
  ];
  const refused = await send(slug, png, { "content-type": "image/png" });
  expect(refused.status).toBe(507);
  expect(await refused.json()).toMatchObject({ code: "storage_full" });
  expect(await fileCount()).toBe(count);
  await world.stack.sql("update private.studio_usage set bytes = 0 where owner = $1", [world.user.userId]);
});

test("the test address shows what is known of a file and keeps none", async () => {
  const { workflow, slug } = await hook(echo);
  const count = await fileCount();
  expect((await send(slug, png, { "content-type": "image/png" }, "/test")).status).toBe(200);
  const [kept] = await world.stack.sql<{ request: JsonObject }>(
    "select request from public.studio_hook_requests where workflow_id = $1",
    [workflow],
  );
  expect(kept?.request["body"]).toEqual({
    name: "upload.png",
    mediaType: "image/png",
    size: png.length,
    sha256: sha256(png),
  });
  expect(await fileCount()).toBe(count);
});
