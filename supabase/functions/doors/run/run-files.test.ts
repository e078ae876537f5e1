import { createHash, randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod/mini";
import type { Json, JsonObject } from "../../../../src/engine/json.ts";
import { buildWorkflow, type WorkflowSketch } from "../../../../src/engine/testing/build-workflow.ts";
import { startWorkerWorld, type WorkerWorld } from "../../../../worker/testing/worker-world.ts";
import { makeFileLink } from "../../_shared/files/file-link.ts";
import { makeApiKey } from "../testing/api-keys.ts";

let world: WorkerWorld;
let key: string;

beforeAll(async () => {
  world = await startWorkerWorld();
  key = (await makeApiKey(world.user, ["run:*"])).key;
});
afterAll(() => world.stop());

async function publish(sketch: WorkflowSketch): Promise<string> {
  const slug = `files-${randomUUID().slice(0, 8)}`;
  await world.publish(buildWorkflow({ id: randomUUID(), name: slug, ...sketch }));
  return slug;
}

const echo: WorkflowSketch = { nodes: { start: ["manual-trigger"] }, edges: [] };
const reading: WorkflowSketch = {
  nodes: { start: ["manual-trigger"], read: ["read-file", { file: "{{json.report}}" }] },
  edges: ["start.main -> read.main"],
};

const run = (slug: string, body: BodyInit, headers: Record<string, string> = {}) =>
  fetch(`${world.stack.url}/api/run/${slug}`, {
    method: "POST",
    body,
    headers: { authorization: `Bearer ${key}`, ...headers },
  });
const asJson = { "content-type": "application/json" };
const outputOf = async (response: Response): Promise<JsonObject> => {
  const answer = (await response.json()) as JsonObject;
  expect(answer["status"]).toBe("completed");
  return answer["output"] as JsonObject;
};

function form(entries: readonly (readonly [string, string | File])[]): FormData {
  const data = new FormData();
  for (const [name, value] of entries) data.append(name, value);
  return data;
}

const text = (content: string, name = "report.txt") => new File([content], name, { type: "text/plain" });

test("a form starts a run with its fields and files, which a step reads", async () => {
  const output = await outputOf(
    await run(
      await publish(echo),
      form([
        ["input", '{"year":2026,"city":"Ulm"}'],
        ["city", "Bonn"],
        ["tag", "a"],
        ["tag", "b"],
        ["files", text("Hello")],
        ["report", text("Hello", "../../report.txt")],
      ]),
    ),
  );
  expect(output).toMatchObject({
    year: 2026,
    city: "Bonn",
    tag: ["a", "b"],
    files: [{ name: "report.txt", size: 5 }],
    report: { name: "report.txt", mediaType: "text/plain" },
  });
  const read = await outputOf(await run(await publish(reading), form([["report", text("Hello Ada")]])));
  expect(read).toMatchObject({ text: "Hello Ada" });
});

test("a workflow that answers messages takes files without one", async () => {
  const slug = await publish({ nodes: { chat: ["chat-trigger"] }, edges: [] });
  const sent = await outputOf(await run(slug, form([["files", text("Hello")]])));
  expect(sent).toMatchObject({ message: "", files: [{ name: "report.txt" }] });
  const url = "data:application/pdf;base64,JVBERi0=";
  const inline = await outputOf(
    await run(slug, JSON.stringify({ message: " ", files: [{ url, name: "a.pdf" }] }), asJson),
  );
  expect(inline).toMatchObject({ message: "", files: [{ name: "a.pdf", size: 5 }] });
  for (const body of ['{"message":""}', '{"files":[]}', "{}"]) expect((await run(slug, body, asJson)).status).toBe(400);
});

test("a file of the output has a link that opens it without a key, runs nothing, and ends", async () => {
  const page = new File(["<script>alert(1)</script>"], "page.html", { type: "text/html" });
  const answer = await run(await publish(echo), form([["page", page]]));
  const runId = answer.headers.get("x-switchyard-run") ?? "";
  const output = await outputOf(answer);
  const { $file, url } = z.object({ $file: z.string(), url: z.string() }).parse(output["page"]);
  const opened = await fetch(`${world.stack.url}${url}`);
  expect(await opened.text()).toBe("<script>alert(1)</script>");
  expect(opened.headers.get("content-type")).toBe("application/octet-stream");
  expect(opened.headers.get("content-disposition")).toContain("attachment");
  expect(opened.headers.get("content-security-policy")).toContain("sandbox");
  const part = await fetch(`${world.stack.url}${url}`, { headers: { range: "bytes=1-6" } });
  expect([part.status, part.headers.get("content-range"), await part.text()]).toEqual([206, "bytes 1-6/25", "script"]);
  expect((await fetch(`${world.stack.url}${url}`, { headers: { range: "bytes=99-" } })).status).toBe(416);

  const environment = { serviceRoleKey: world.stack.serviceKey };
  const linkOf = (file: string, seconds: number, of = environment) =>
    makeFileLink({ run: runId, file }, of, seconds).then((link) => `${world.stack.url}${link}`);
  expect((await fetch(await linkOf($file, 60))).status).toBe(200);
  const wrong = [
    await linkOf($file, -60),
    await linkOf($file, 60, { serviceRoleKey: "another" }),
    `${world.stack.url}${url.slice(0, -1)}${url.endsWith("A") ? "B" : "A"}`,
    (await linkOf($file, 60)).replace(runId, randomUUID()),
    `${world.stack.url}/api/files/${$file}`,
  ];
  for (const link of wrong) {
    const refused = await fetch(link);
    expect([refused.status, ((await refused.json()) as JsonObject)["code"]]).toEqual([404, "not_found"]);
  }
});

test("a file of more than 16 MB comes in a form, and nothing is kept of one that starts no run", async () => {
  const bytes = new Uint8Array(20 * 1024 * 1024).fill(7);
  const file = new File([bytes], "large.bin");
  const { large } = await outputOf(await run(await publish(echo), form([["large", file]])));
  expect(large).toMatchObject({ size: bytes.byteLength, sha256: createHash("sha256").update(bytes).digest("hex") });
  const files = () => world.stack.sql("select id from public.studio_files where owner = $1", [world.user.userId]);
  const count = (await files()).length;
  const chat = await publish({ nodes: { chat: ["chat-trigger"] }, edges: [] });
  const refusedForms = [
    form([["report", text("no message")]]),
    form([
      ["files", text("one")],
      ["input", "not JSON"],
    ]),
  ];
  for (const body of refusedForms) expect((await run(chat, body)).status).toBe(400);
  expect(await files()).toHaveLength(count);
});

test("S105 a link opens the files of its run alone, whatever a run says", async () => {
  const slug = await publish(echo);
  const theirs = await outputOf(await run(slug, form([["page", text("of another run")]])));
  const file = JSON.parse(JSON.stringify(theirs["page"], (name, value: Json) => (name === "url" ? undefined : value)));
  const { page } = await outputOf(await run(slug, JSON.stringify({ page: file }), asJson));
  const { url } = z.object({ url: z.string() }).parse(page);
  const refused = await fetch(`${world.stack.url}${url}`);
  expect(refused.status).toBe(404);
  expect(await refused.text()).not.toContain("of another run");
});

test("S105 a reference in JSON or in a field of a form is plain data", async () => {
  const { page } = await outputOf(await run(await publish(echo), form([["page", text("secret")]])));
  const slug = await publish(reading);
  const given = JSON.stringify({ report: page });
  const attempts = [await run(slug, given, asJson), await run(slug, form([["input", given]]))];
  for (const answer of attempts) {
    expect(answer.status).toBe(502);
    const said = await answer.text();
    expect(said).toContain("neither received nor made");
    expect(said).not.toContain("secret");
  }
});

test("an idempotency key with the same files finds its run, and with others is refused", async () => {
  const slug = await publish(echo);
  const once = { "idempotency-key": randomUUID() };
  const first = await run(slug, form([["report", text("once")]]), once);
  const again = await run(slug, form([["report", text("once")]]), once);
  expect(again.headers.get("x-switchyard-run")).toBe(first.headers.get("x-switchyard-run"));
  const other = await run(slug, form([["report", text("twice")]]), once);
  expect(other.status).toBe(422);
  const kept = await world.stack.sql(
    "select id from public.studio_files where sha256 = encode(sha256('twice'), 'hex')",
  );
  expect(kept).toEqual([]);
});

test("a form that cannot be read, or whose input is no object, is refused in words", async () => {
  const slug = await publish(echo);
  const broken = await run(slug, "x", { "content-type": "multipart/form-data; boundary=b" });
  expect([broken.status, await broken.json()]).toMatchObject([
    400,
    { detail: expect.stringContaining("multipart form") },
  ]);
  for (const input of ["[]", "{", '{"a":"\\u0000"}']) {
    const refused = await run(slug, form([["input", input]]));
    expect([refused.status, await refused.json()]).toMatchObject([400, { detail: expect.stringContaining('"input"') }]);
  }
  expect((await run(slug, form([["note", "x".repeat(1_100_000)]]))).status).toBe(413);
});
