import { createHash, randomBytes, randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fileSchema, type FileValue } from "../../../src/engine/file/file.ts";
import { createFileStore } from "../../../src/state/file/storage/file-store.ts";
import { signUp, type SignedIn } from "../../local/testing/clients.ts";
import { plant } from "../../local/testing/sample-rows.ts";
import { startTestStack, type TestStack } from "../../local/testing/start-stack.ts";
import { callFunction } from "../_shared/testing/call-function.ts";
import { startLoopbackServer, type LoopbackServer } from "../_shared/testing/loopback-server.ts";

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

let stack: TestStack;
let owner: SignedIn;
let other: SignedIn;
let target: LoopbackServer;

beforeAll(async () => {
  target = await startLoopbackServer((request, response) => {
    switch (request.url) {
      case "/a%20picture":
        return void response.writeHead(200, { "content-type": "image/png" }).end(png);
      case "/report":
        return void response
          .writeHead(200, {
            "content-type": "application/pdf",
            "content-disposition": 'attachment; filename="../a.pdf"',
          })
          .end("%PDF-1.7");
      case "/cut":
        response.writeHead(200, { "content-type": "application/zip", "content-length": "1000" });
        response.write("PK");
        return void setTimeout(() => response.destroy(), 20);
      case "/large": {
        response.writeHead(200, { "content-type": "application/octet-stream" });
        const piece = Buffer.alloc(1024 * 1024);
        const write = (): void => {
          while (!response.destroyed && response.write(piece));
        };
        response.on("drain", write);
        return write();
      }
      default:
        return void response.writeHead(200, { "content-type": "application/json" }).end('{"ok":true}');
    }
  });
  stack = await startTestStack({ functions: true, allowHosts: target.host });
  [owner, other] = await Promise.all([signUp(stack), signUp(stack)]);
});

afterAll(async () => {
  await stack.stop();
  await target.stop();
});

function storeOf(user: SignedIn) {
  return createFileStore({
    functionsUrl: `${stack.url}/functions/v1`,
    publishableKey: stack.key,
    accessToken: async () => user.accessToken,
  });
}

const signal = new AbortController().signal;

async function put(user: SignedIn, name: string, mediaType: string, text: string): Promise<FileValue> {
  const created = await storeOf(user).create({ name, mediaType, bytes: new TextEncoder().encode(text) }, { signal });
  if (!created.ok) throw new Error(created.error.message);
  return created.value;
}

const get = (user: SignedIn, id: string) =>
  fetch(`${stack.url}/functions/v1/files/${id}`, {
    headers: { apikey: stack.key, authorization: `Bearer ${user.accessToken}` },
  });

const part = (user: SignedIn, id: string, headers: Record<string, string>) =>
  fetch(`${stack.url}/functions/v1/files/${id}`, {
    headers: { apikey: stack.key, authorization: `Bearer ${user.accessToken}`, ...headers },
  });

const blobsOf = (user: SignedIn) => readdir(join(stack.dataDir, "files", user.userId)).catch((): string[] => []);

const fetchAs = async (user: SignedIn, body: object) => {
  const answer = await callFunction(stack, "execute-http", user.accessToken, body);
  return { ...answer, json: answer.json };
};

test("a file comes back as it was, and its size and hash are those of its bytes", async () => {
  const text = randomBytes(50_000).toString("hex");
  const file = await put(owner, "notes.txt", "text/plain", text);
  const sha256 = createHash("sha256").update(text).digest("hex");
  expect(file).toMatchObject({ name: "notes.txt", mediaType: "text/plain", size: text.length, sha256 });
  const opened = await storeOf(owner).open(file.$file, { signal });
  expect(opened.ok && (await new Response(opened.value).text())).toBe(text);
});

test("a part of a file is given where one is asked for, and the whole where its bytes are others by now", async () => {
  const file = await put(owner, "tone.mp3", "audio/mpeg", "0123456789");
  const whole = await part(owner, file.$file, {});
  expect(whole.headers.get("accept-ranges")).toBe("bytes");
  const tag = whole.headers.get("etag") ?? "";
  expect(tag).toBe(`"${file.sha256}"`);
  const conditions: Record<string, string>[] = [{}, { "if-range": tag }];
  for (const condition of conditions) {
    const some = await part(owner, file.$file, { range: "bytes=2-4", ...condition });
    expect([some.status, some.headers.get("content-range"), some.headers.get("content-length")]).toEqual([
      206,
      "bytes 2-4/10",
      "3",
    ]);
    expect(some.headers.get("content-security-policy")).toContain("sandbox");
    expect(await some.text()).toBe("234");
  }
  expect(await (await part(owner, file.$file, { range: "bytes=-2" })).text()).toBe("89");
  const others = await part(owner, file.$file, { range: "bytes=2-4", "if-range": '"other"' });
  expect([others.status, await others.text()]).toEqual([200, "0123456789"]);
  const several = await part(owner, file.$file, { range: "bytes=0-1,4-5" });
  expect([several.status, await several.text()]).toEqual([200, "0123456789"]);
  const beyond = await part(owner, file.$file, { range: "bytes=10-" });
  expect([beyond.status, beyond.headers.get("content-range"), await beyond.text()]).toEqual([416, "bytes */10", ""]);
  expect((await part(other, file.$file, { range: "bytes=2-4" })).status).toBe(404);
});

test("S105 whatever it claims to be, nothing in a file runs", async () => {
  const page = await put(owner, 'a"<b>\r\nx: y.html', "text/html", "<script>alert(1)</script>");
  const answer = await get(owner, page.$file);
  expect(answer.headers.get("content-type")).toBe("application/octet-stream");
  expect(answer.headers.get("content-disposition")).toMatch(
    /^attachment; filename="a__b___x_ y.html"; filename\*=UTF-8''/,
  );
  expect(answer.headers.get("content-security-policy")).toContain("sandbox");
  expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  const drawing = await put(owner, "a.svg", "image/svg+xml", "<svg onload='alert(1)'/>");
  expect((await get(owner, drawing.$file)).headers.get("content-type")).toBe("application/octet-stream");
});

test("S40 S105 the files of another account are not there, and nobody reaches storage itself", async () => {
  const file = await put(owner, "mine.txt", "text/plain", "a secret of the owner");
  const answer = await get(other, file.$file);
  expect(answer.status).toBe(404);
  expect(await answer.text()).not.toContain("secret");
  const sent = await fetchAs(other, { method: "POST", url: `http://${target.host}/echo`, file: file.$file });
  expect(sent.json["error"]).toMatchObject({ code: "invalid_config", hint: expect.stringContaining("again") });
  expect(target.seen.every(({ url }) => url !== "/echo")).toBe(true);
  const [blob = ""] = await blobsOf(owner);
  for (const key of [stack.key, owner.accessToken, other.accessToken]) {
    for (const method of ["GET", "POST", "DELETE"]) {
      const direct = await fetch(`${stack.url}/storage/v1/object/studio-files/${owner.userId}/${blob}`, {
        method,
        headers: { apikey: stack.key, authorization: `Bearer ${key}` },
      });
      expect([401, 403]).toContain(direct.status);
    }
  }
  const rows = await fetch(`${stack.url}/rest/v1/studio_files?select=id`, {
    headers: { apikey: stack.key, authorization: `Bearer ${other.accessToken}` },
  });
  expect(await rows.json()).toEqual([]);
});

test.each(["../../keys.json", "..%2f..%2fkeys.json", `${randomUUID()}/../../keys.json`, "a/b"])(
  "S105 storage has no object of the name %s",
  async (name) => {
    const answer = await fetch(`${stack.url}/storage/v1/object/studio-files/${name}`, {
      headers: { apikey: stack.serviceKey },
    });
    expect(answer.status).toBe(404);
  },
);

test("the same bytes are stored once for an account, and apart for two", async () => {
  const text = randomUUID();
  const before = (await blobsOf(owner)).length;
  const first = await put(owner, "one.txt", "text/plain", text);
  const second = await put(owner, "two.md", "text/markdown", text);
  expect(second.$file).not.toBe(first.$file);
  await expect.poll(async () => (await blobsOf(owner)).length).toBe(before + 1);
  const theirs = (await blobsOf(other)).length;
  await put(other, "one.txt", "text/plain", text);
  expect((await blobsOf(other)).length).toBe(theirs + 1);
});

test("an answer that is no text is kept as a file where that is wanted, and goes out again as bytes and in a form", async () => {
  const url = `http://${target.host}/a%20picture`;
  const note = await fetchAs(owner, { url });
  expect(note.json["body"]).toBe(`[binary, image/png, ${png.length} bytes]`);
  const answer = await fetchAs(owner, { url, binary: "file" });
  const file = fileSchema.parse(answer.json["file"]);
  expect(answer.json["body"]).toBeNull();
  expect(file).toMatchObject({ name: "a picture.png", mediaType: "image/png", size: png.length });
  const post = { method: "POST", url: `http://${target.host}/upload` };
  await fetchAs(owner, { ...post, file: file.$file });
  expect(target.seen.at(-1)?.headers).toMatchObject({ "content-type": "image/png", "content-length": `${png.length}` });
  const named = await put(owner, "ein „Text“.txt", "text/plain", "Grüße");
  await fetchAs(owner, {
    ...post,
    parts: [
      { name: 'a"b', value: "1" },
      { name: "file", file: named.$file },
    ],
  });
  const { body = "", headers } = target.seen.at(-1) ?? {};
  expect(headers?.["content-length"]).toBe(String(Buffer.byteLength(body)));
  const form = await new Response(body, { headers: { "content-type": String(headers?.["content-type"]) } }).formData();
  expect(form.get('a"b')).toBe("1");
  const got = form.get("file");
  expect(got instanceof File && [got.name, got.type, await got.text()]).toEqual([
    "ein „Text“.txt",
    "text/plain",
    "Grüße",
  ]);
});

test("S105 the name that a server gives leads into no folder", async () => {
  const answer = await fetchAs(owner, { url: `http://${target.host}/report`, binary: "file" });
  expect(answer.json["file"]).toMatchObject({ name: "a.pdf", mediaType: "application/pdf" });
});

test("of a file that is cut off, too large, or beyond the account's storage nothing is kept", async () => {
  const before = await blobsOf(other);
  const cut = await fetchAs(other, { url: `http://${target.host}/cut`, binary: "file" });
  expect(cut.json["error"]).toMatchObject({ code: "network" });
  const large = await fetchAs(other, { url: `http://${target.host}/large`, binary: "file" });
  expect(large.json["error"]).toMatchObject({ code: "too_large", hint: expect.any(String) });
  await stack.sql(
    "insert into private.studio_usage as usage (owner, bytes) select $1, most from private.studio_quotas where kind = 'bytes' on conflict (owner) do update set bytes = excluded.bytes",
    [other.userId],
  );
  const full = await fetchAs(other, { url: `http://${target.host}/a%20picture`, binary: "file" });
  expect(full.json["error"]).toMatchObject({ message: expect.stringContaining("storage is full") });
  await stack.sql("update private.studio_usage set bytes = 0 where owner = $1", [other.userId]);
  // Storage learns that the bytes broke off a moment after the caller does.
  await expect.poll(() => blobsOf(other)).toEqual(before);
});

test("a file stays as long as a remembered message holds it, and a stranger's message holds none", async () => {
  const [guest, stranger] = [await signUp(stack), await signUp(stack)];
  const file = await put(guest, "a.png", "image/png", "of a message");
  const remember = (user: SignedIn) =>
    stack.sql<{ id: string }>(
      `insert into public.studio_agent_memory (owner, session_id, role, content, message) values ($1, 's', 'user', 'Hi', $2::jsonb) returning id`,
      [user.userId, JSON.stringify({ role: "user", parts: [{ type: "text", text: "Hi" }], files: [file] })],
    );
  await remember(stranger);
  expect(await stack.sql("select owner from private.studio_message_files where file = $1", [file.$file])).toEqual([]);
  const [message] = await remember(guest);
  const prune = async () => {
    await stack.sql("update public.studio_files set created_at = now() - interval '2 days' where owner = $1", [
      guest.userId,
    ]);
    await stack.sql("select private.studio_prune_files($1)", [guest.userId]);
    return (await stack.sql("select id from public.studio_files where owner = $1", [guest.userId])).length;
  };
  expect(await prune()).toBe(1);
  await stack.sql("delete from public.studio_agent_memory where id = $1", [message?.id ?? ""]);
  expect(await prune()).toBe(0);
});

test("a file stays as long as a test case holds it, in its input or its recording", async () => {
  const [guest, stranger] = [await signUp(stack), await signUp(stack)];
  const [sent, made] = [await put(guest, "a", "text/plain", "sent"), await put(guest, "b", "text/plain", "made")];
  const { id: suite } = await plant(stack, "studio_suites", guest);
  const { id: other } = await plant(stack, "studio_suites", stranger);
  const add = (user: SignedIn, id: unknown) =>
    stack.sql(
      "insert into public.studio_cases (owner, suite_id, name, body, cassette) values ($1, $2, 'held', $3, $4)",
      [user.userId, id, JSON.stringify({ input: { file: sent } }), JSON.stringify([{ type: "file-add", file: made }])],
    );
  await add(stranger, other);
  expect(await stack.sql("select owner from private.studio_case_files where owner = $1", [stranger.userId])).toEqual(
    [],
  );
  await add(guest, suite);
  const prune = async () => {
    await stack.sql("update public.studio_files set created_at = now() - interval '2 days' where owner = $1", [
      guest.userId,
    ]);
    await stack.sql("select private.studio_prune_files($1)", [guest.userId]);
    return (await stack.sql("select id from public.studio_files where owner = $1", [guest.userId])).length;
  };
  expect(await prune()).toBe(2);
  await stack.sql("delete from public.studio_cases where owner = $1 and name = 'held'", [guest.userId]);
  expect(await prune()).toBe(0);
});

test("a file stays as long as a pinned output names it, and a stranger's workflow holds none", async () => {
  const [guest, stranger] = [await signUp(stack), await signUp(stack)];
  const [pinned, other] = [await put(guest, "a", "text/plain", "pinned"), await put(guest, "b", "text/plain", "other")];
  const documentOf = (file: FileValue | null) => ({
    nodes: { a: { config: { text: other }, ...(file ? { pin: { output: { deep: [file] } } } : {}) } },
  });
  const workflowOf = async (user: SignedIn) => {
    const row = { name: "Pins", document: documentOf(pinned) };
    const { data, error } = await user.client.from("studio_workflows").insert(row).select("id").single();
    if (error) throw error;
    return String(data.id);
  };
  await workflowOf(stranger);
  expect(await stack.sql("select file from private.studio_pinned_files where owner = $1", [stranger.userId])).toEqual(
    [],
  );
  const workflow = await workflowOf(guest);
  const left = async () => {
    await stack.sql("update public.studio_files set created_at = now() - interval '2 days' where owner = $1", [
      guest.userId,
    ]);
    await stack.sql("select private.studio_prune_files($1)", [guest.userId]);
    const rows = await stack.sql<{ id: string }>("select id from public.studio_files where owner = $1", [guest.userId]);
    return rows.map(({ id }) => id);
  };
  expect(await left()).toEqual([pinned.$file]);
  const change = (document: object) =>
    guest.client.from("studio_workflows").update({ document }).eq("id", workflow).select("id");
  expect((await change({ ...documentOf(pinned), name: "Edited" })).data).toHaveLength(1);
  expect(await left()).toEqual([pinned.$file]);
  expect((await change(documentOf(null))).data).toHaveLength(1);
  expect(await left()).toEqual([]);
});

test("files in outputs that were pinned before the studio knew of them are noted when it is brought up to date", async () => {
  const guest = await signUp(stack);
  const pinned = await put(guest, "a", "text/plain", "pinned before");
  const document = { nodes: { a: { pin: { output: pinned } } } };
  const made = await guest.client.from("studio_workflows").insert({ name: "Pins", document });
  expect(made.error).toBeNull();
  const noted = () => stack.sql("select file from private.studio_pinned_files where owner = $1", [guest.userId]);
  await stack.sql("delete from private.studio_pinned_files where owner = $1", [guest.userId]);
  const migration = await readFile(
    join(import.meta.dirname, "../../migrations/20261128233800_pinned_files.sql"),
    "utf8",
  );
  const [once] = /^select private\.studio_note_pins\(.*?;$/ms.exec(migration) ?? [];
  await stack.sql(once ?? "");
  expect(await noted()).toEqual([{ file: pinned.$file }]);
});

test("S105 what a file is, is told to its owner alone", async () => {
  const [file, stranger] = [await put(owner, "a.txt", "text/plain", "about"), await signUp(stack)];
  const find = (user: SignedIn, id: string) => storeOf(user).find(id, { signal });
  expect(await find(owner, file.$file)).toEqual({ ok: true, value: file });
  for (const [user, id] of [
    [stranger, file.$file],
    [owner, randomUUID()],
    [owner, "no id"],
  ] as const)
    expect(await find(user, id)).toEqual({ ok: true, value: undefined });
});

test("a file stays as long as a document is shown by it, and is never that of a stranger's document", async () => {
  const [guest, stranger] = [await signUp(stack), await signUp(stack)];
  const file = await put(guest, "a.pdf", "application/pdf", "of a document");
  const { id: document } = await plant(stack, "studio_knowledge_documents", guest);
  const { id: theirs } = await plant(stack, "studio_knowledge_documents", stranger);
  const show = (user: SignedIn, id: unknown) =>
    user.client.from("studio_knowledge_documents").update({ original: file.$file }).eq("id", id).select("original");
  expect((await show(stranger, theirs)).error).toMatchObject({ code: "23503" });
  expect((await show(guest, document)).data).toEqual([{ original: file.$file }]);
  const prune = async () => {
    await stack.sql("update public.studio_files set created_at = now() - interval '2 days' where owner = $1", [
      guest.userId,
    ]);
    await stack.sql("select private.studio_prune_files($1)", [guest.userId]);
    return (await stack.sql("select id from public.studio_files where owner = $1", [guest.userId])).length;
  };
  expect(await prune()).toBe(1);
  await stack.sql("delete from public.studio_knowledge_documents where id = $1", [document]);
  expect(await prune()).toBe(0);
});

test("bytes go once no run holds the file, and with the account", async () => {
  const guest = await signUp(stack);
  const [kept, loose] = [await put(guest, "a", "text/plain", "kept"), await put(guest, "b", "text/plain", "loose")];
  const { id: run } = await plant(stack, "studio_runs", guest);
  const event = JSON.stringify({ type: "file-add", nodeId: "a", file: kept });
  await stack.sql(
    `insert into public.studio_run_events (run_id, run_added_at, seq, owner, at, type, event)
     select id, added_at, 0, owner, now(), 'file-add', $3::jsonb from public.studio_runs where id = $1 and owner = $2`,
    [run, guest.userId, event],
  );
  await stack.sql("update public.studio_files set created_at = now() - interval '2 days' where owner = $1", [
    guest.userId,
  ]);
  await stack.sql("select private.studio_prune_files($1)", [guest.userId]);
  const left = await stack.sql("select id from public.studio_files where owner = $1", [guest.userId]);
  expect(left).toEqual([{ id: kept.$file }]);
  await put(owner, "sweep", "text/plain", randomUUID());
  await expect.poll(async () => (await blobsOf(guest)).length).toBe(1);
  expect((await get(guest, loose.$file)).status).toBe(404);
  await stack.sql("delete from auth.users where id = $1", [guest.userId]);
  await put(owner, "sweep", "text/plain", randomUUID());
  await expect.poll(async () => (await blobsOf(guest)).length).toBe(0);
});
