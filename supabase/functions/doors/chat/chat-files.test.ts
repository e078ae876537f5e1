import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod/mini";
import { type ChatEvent, chatThread, chatThreads, fileNameHeader, sentFile } from "../../../../src/doors/chat-api.ts";
import { fileSchema } from "../../../../src/engine/file/file.ts";
import type { JsonObject } from "../../../../src/engine/json.ts";
import { buildWorkflow, type WorkflowSketch } from "../../../../src/engine/testing/build-workflow.ts";
import { makePageToken } from "../../_shared/page-token.ts";
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

const echo: WorkflowSketch = { nodes: { chat: ["chat-trigger"] }, edges: [] };
const making: WorkflowSketch = {
  nodes: {
    chat: ["chat-trigger"],
    make: ["make-file", { format: "markdown", name: "answer", content: "{{json.message}}" }],
  },
  edges: ["chat.main -> make.main"],
};

/** Publishes a chat page and gives its slug. */
async function page(sketch: WorkflowSketch, config: JsonObject = {}): Promise<string> {
  const slug = `chat-${randomUUID().slice(0, 8)}`;
  const workflow = await world.publish(buildWorkflow({ id: randomUUID(), name: slug, ...sketch }));
  const { error } = await world.user.client.rpc("studio_save_door", {
    p_workflow_id: workflow,
    p_kind: "chat",
    p_enabled: true,
    p_config: { attachments: true, files: true, ...config },
    p_secrets: null,
  });
  if (error) throw new Error(error.message);
  return slug;
}

const post = (path: string, body: BodyInit, headers: Record<string, string>) =>
  fetch(`${world.stack.url}/c-api/${path}`, { method: "POST", body, headers });
const asJson = { "content-type": "application/json" };

/** Enters a page as a new visitor. */
async function enter(slug: string) {
  const page = await makePageToken(slug, "loopback", world.stack.serviceKey, Date.now() / 1_000);
  const opened = await post(`${slug}/session`, JSON.stringify({ page }), asJson);
  const { token } = z.object({ token: z.string() }).parse(await opened.json());
  const authorization = `Bearer ${token}`;
  const upload = (bytes: BodyInit, name: string, type: string) =>
    post(`${slug}/files`, bytes, { authorization, "content-type": type, [fileNameHeader]: encodeURIComponent(name) });
  return {
    upload,
    kept: async (bytes: BodyInit, name: string, type: string) => {
      const answer = await upload(bytes, name, type);
      expect(answer.status).toBe(201);
      return sentFile.parse(await answer.json());
    },
    message: (body: JsonObject) =>
      post(`${slug}/messages`, JSON.stringify({ text: "Hello", key: randomUUID(), ...body }), {
        ...asJson,
        authorization,
      }),
    threads: async () => {
      const answer = await fetch(`${world.stack.url}/c-api/${slug}/threads`, { headers: { authorization } });
      return chatThreads.parse(await answer.json()).threads;
    },
    thread: async (id: string) => {
      const answer = await fetch(`${world.stack.url}/c-api/${slug}/threads/${id}`, { headers: { authorization } });
      return chatThread.parse(await answer.json()).turns;
    },
  };
}

async function eventsOf(answer: Response): Promise<ChatEvent[]> {
  expect(answer.status).toBe(200);
  const lines = (await answer.text()).split("\n\n").filter((line) => line.startsWith("data: "));
  return lines.map((line): ChatEvent => JSON.parse(line.slice(6)));
}

const runOf = async (id: string) =>
  (
    await world.stack.sql<{ input: { value: JsonObject } }>("select input from public.studio_runs where id = $1", [id])
  )[0];

const bytesAt = async (url: string) => Buffer.from(await (await fetch(`${world.stack.url}${url}`)).arrayBuffer());

test("a visitor's files go to the run as references, and come back with the conversation", async () => {
  const visitor = await enter(await page(echo));
  const picture = await visitor.kept(png, "../cat.png", "image/png");
  const report = await visitor.kept("a,b", "list.csv", "text/csv");
  const events = await eventsOf(await visitor.message({ files: [picture.id, report.id] }));
  const [start] = events;
  if (start?.type !== "start") throw new Error("The answer did not begin.");
  const input = (await runOf(start.runId))?.input.value;
  expect(z.array(fileSchema).parse(input?.["files"])).toMatchObject([
    { name: "cat.png", size: png.length },
    { name: "list.csv" },
  ]);
  const [turn] = await visitor.thread(start.threadId);
  expect(turn?.sent.map(({ name, mediaType }) => [name, mediaType])).toEqual([
    ["cat.png", "image/png"],
    ["list.csv", "text/csv"],
  ]);
  expect(await bytesAt(turn?.sent[0]?.url ?? "")).toEqual(png);
});

test("a file without words is a message, and its conversation is called by it; nothing at all is none", async () => {
  const slug = await page(echo);
  const visitor = await enter(slug);
  const report = await visitor.kept("a,b", "list.csv", "text/csv");
  const [start] = await eventsOf(await visitor.message({ text: " ", files: [report.id] }));
  if (start?.type !== "start") throw new Error("The answer did not begin.");
  expect((await runOf(start.runId))?.input.value).toMatchObject({ message: "", files: [{ name: "list.csv" }] });
  expect(await visitor.thread(start.threadId)).toMatchObject([{ text: "", sent: [{ name: "list.csv" }] }]);
  const threads = await visitor.threads();
  expect(threads.find(({ id }) => id === start.threadId)?.title).toBe("list.csv");
  expect((await visitor.message({ text: " " })).status).toBe(400);
});

test("S62 a picture of a megabyte leaves the run's rows, its events and the conversation", async () => {
  const visitor = await enter(await page(echo));
  const large = await visitor.kept(Buffer.alloc(1_000_000, 7), "large.png", "image/png");
  const inline = { images: [`data:image/png;base64,${Buffer.alloc(900_000, 8).toString("base64")}`] };
  for (const sent of [{ files: [large.id] }, inline]) {
    const [start] = await eventsOf(await visitor.message(sent));
    if (start?.type !== "start") throw new Error("The answer did not begin.");
    const [size] = await world.stack.sql<{ run: number; events: number }>(
      `select octet_length(runs::text) as run, (
         select sum(octet_length(events.event::text)) from public.studio_run_events as events where events.run_id = runs.id
       )::integer as events from public.studio_runs as runs where runs.id = $1`,
      [start.runId],
    );
    expect(size?.run).toBeLessThan(5_000);
    expect(size?.events).toBeLessThan(10_000);
  }
});

test("a file that the workflow makes comes with the answer, by a link", async () => {
  const visitor = await enter(await page(making));
  const events = await eventsOf(await visitor.message({ text: "# Done" }));
  const end = events.at(-1);
  if (end?.type !== "end") throw new Error("The answer did not end.");
  expect(end).toMatchObject({
    status: "completed",
    answer: "",
    files: [{ name: "answer.md", mediaType: "text/markdown" }],
  });
  expect((await bytesAt(end.files?.[0]?.url ?? "")).toString()).toContain("# Done");
});

test("S105 a file goes with messages of the visitor who sent it, on the page that took it, and no others", async () => {
  const [slug, other] = [await page(echo), await page(echo)];
  const mine = await (await enter(slug)).kept("a secret", "mine.txt", "text/plain");
  for (const visitor of [await enter(slug), await enter(other)]) {
    for (const files of [[mine.id], [randomUUID()]]) {
      const refused = await visitor.message({ files });
      expect(refused.status).toBe(404);
      expect(await refused.json()).toMatchObject({
        code: "not_found",
        detail: expect.stringContaining("Attach it again"),
      });
    }
  }
});

test("S77 what a page does not take is refused before it is stored", async () => {
  const count = async () => (await world.stack.sql("select 1 from public.studio_files")).length;
  const [closed, pictures] = [
    await page(echo, { attachments: false, files: false }),
    await page(echo, { files: false }),
  ];
  const before = await count();
  const refused: [Response, number][] = [
    [await (await enter(closed)).upload(png, "a.png", "image/png"), 400],
    [await (await enter(pictures)).upload("x", "a.txt", "text/plain"), 400],
    [await (await enter(pictures)).upload("<svg/>", "a.svg", "image/svg+xml"), 400],
    [await (await enter(await page(echo))).upload(Buffer.alloc(17 * 1024 * 1024), "a.bin", "application/zip"), 413],
    [await post(`${pictures}/files`, png, { "content-type": "image/png" }), 401],
  ];
  for (const [answer, status] of refused) expect(answer.status).toBe(status);
  expect(await count()).toBe(before);
  expect((await (await enter(pictures)).upload(png, "a.png", "image/png")).status).toBe(201);
});

test("S95 files count as what a visitor may send in a day, so that none fills the owner's storage", async () => {
  const slug = await page(echo, { visitorMbPerDay: 1 });
  const visitor = await enter(slug);
  await visitor.kept(Buffer.alloc(700_000, 1), "one.bin", "application/zip");
  const refused = await visitor.upload(Buffer.alloc(700_000, 2), "two.bin", "application/zip");
  expect(refused.status).toBe(429);
  expect(await refused.json()).toMatchObject({ code: "daily_share", detail: expect.stringContaining("as much data") });
  expect((await visitor.message({ text: "words" })).status).toBe(200);
});
