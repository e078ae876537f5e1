import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { appendFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDoorGate } from "../http/door-gate.ts";
import { createTestClient, signUp } from "../testing/clients.ts";
import { startTestStack, type TestStack } from "../testing/start-stack.ts";
import { readManifest } from "./backup-manifest.ts";
import { createOnlineBackup } from "./online-backup.ts";

const projectRoot = fileURLToPath(new URL("../../..", import.meta.url));
/** `BACKUP_ROUNDS=20` for the whole proof. */
const rounds = Number(process.env["BACKUP_ROUNDS"] ?? 2);

let root: string;
let dataDir: string;
let stack: TestStack;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "switchyard-backup-"));
  dataDir = join(root, "data");
  stack = await startTestStack({ dataDir });
});

afterAll(async () => {
  await stack?.stop();
  await rm(root, { recursive: true, force: true });
});

/** `npm run data -- …` */
async function data(...args: string[]) {
  const child = spawn(process.execPath, ["cli/data.mjs", ...args], { cwd: projectRoot });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text: Buffer) => (output += text.toString()));
  const [code]: unknown[] = await once(child, "close");
  return { code, output };
}

test("a backup under load has every row that was acknowledged before, and fails nobody's request", async () => {
  const user = await signUp(stack);
  const acknowledged: string[] = [];
  const failures: unknown[] = [];
  const over = new AbortController();
  const write = async () => {
    while (!over.signal.aborted) {
      const id = crypto.randomUUID();
      const document = { nodes: {}, text: "x".repeat(2_000) };
      const { error } = await user.client.from("studio_workflows").insert({ id, name: "Kept", document });
      if (error) failures.push(error);
      else acknowledged.push(id);
    }
  };
  const writers = [write(), write(), write()];
  try {
    for (let round = 0; round < rounds; round += 1) {
      const folder = join(root, `backup-${round}`);
      const before = [...acknowledged];
      const { code, output } = await data("backup", folder, "--data", dataDir, "--with-keys");
      expect(output).toContain(`Backed up to ${folder}`);
      expect(code).toBe(0);
      expect(acknowledged.length).toBeGreaterThan(before.length);

      const restoredDir = join(root, `restored-${round}`);
      const restored = await data("restore", folder, "--to", restoredDir);
      expect(restored.output).toContain("is alive again that was not before");
      const other = await startTestStack({ dataDir: restoredDir });
      try {
        const rows = await other.sql<{ id: string }>("select id::text as id from public.studio_workflows");
        const kept = new Set(rows.map(({ id }) => id));
        expect(before.filter((id) => !kept.has(id))).toEqual([]);
        const { tables } = await readManifest(folder);
        expect(tables.find(({ name }) => name === "public.studio_workflows")?.rows).toBe(kept.size);
      } finally {
        await other.stop();
      }
    }
  } finally {
    over.abort();
    await Promise.all(writers);
  }
  expect(failures).toEqual([]);
}, 900_000);

test("S97 restored data rest: sessions end, runs under way wait for a person, doors are closed until resume", async () => {
  const user = await signUp(stack);
  const [workflow, run, revoked] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()];
  await user.client.from("studio_workflows").insert({ id: workflow, name: "Sample", document: { nodes: {} } });
  await stack.sql(
    `insert into public.studio_runs (id, owner, workflow_id, status, source, queued_at) values ($1, $2, $3, 'queued', 'api', now())`,
    [run, user.userId, workflow],
  );
  await stack.sql(
    `insert into public.studio_api_keys (id, owner, name, prefix, scopes) values ($1, $2, 'For the shop', 'sy_12345', '["run:*"]')`,
    [revoked, user.userId],
  );
  const link = crypto.randomUUID();
  await stack.sql(
    `with ended as (
       insert into public.studio_runs (id, owner, workflow_id, status) values ($1, $3, $4, 'completed')
     )
     insert into public.studio_shared_runs (id, owner, run_id, slug_hash, title, parts, snapshot)
     values ($2, $3, $1, $5, 'Shared sample', '{}', '{}')`,
    [crypto.randomUUID(), link, user.userId, workflow, "0".repeat(64)],
  );
  await stack.sql(
    "insert into public.studio_publications (workflow_id, owner, slug, live) values ($1, $2, 'shop-of-before', 1)",
    [workflow, user.userId],
  );
  const kept = crypto.randomUUID();
  await user.client.from("studio_workflows").insert({ id: kept, name: "Kept", document: { nodes: {} } });
  await stack.sql(
    `with published as (
       insert into public.studio_publications (workflow_id, owner, slug, live) values ($1, $2, 'shop-that-stays', 1)
     )
     insert into public.studio_doors (workflow_id, owner, kind, enabled)
     values ($1, $2, 'chat', true), ($1, $2, 'hook', true), ($1, $2, 'mcp', false)`,
    [kept, user.userId],
  );
  const folder = join(root, "for-restore");
  const made = await data("backup", folder, "--data", dataDir);
  expect(made.output).toContain("WARNING: keys.json is not in it");
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  expect(existsSync(join(folder, "keys.json"))).toBe(false);
  await stack.sql("update public.studio_api_keys set revoked_at = now() where id = $1", [revoked]);
  await stack.sql("delete from public.studio_shared_runs where id = $1", [link]);
  await stack.sql("select public.studio_take_invite(gen_random_uuid(), now() + interval '1 day')");
  await stack.sql("update auth.users set encrypted_password = 'changed' where id = $1", [user.userId]);
  await stack.sql("delete from public.studio_publications where workflow_id = $1", [workflow]);
  await stack.sql("update public.studio_doors set enabled = false where workflow_id = $1 and kind = 'chat'", [kept]);
  await stack.sql("insert into public.studio_doors (workflow_id, owner, kind) values ($1, $2, 'api')", [
    kept,
    user.userId,
  ]);
  const state = await fetch(`${stack.url}/operator/v1/state`, { headers: { apikey: stack.serviceKey } });
  expect(await state.json()).toMatchObject({ paused: false, backup: { failure: null } });

  const restoredDir = join(root, "resting");
  const { output } = await data("restore", folder, "--to", restoredDir, "--keys", join(dataDir, "keys.json"));
  expect(output).toContain("1 run was under way");
  expect(output).toContain("For the shop (sy_12345…)");
  expect(output).toContain("Shared sample of ");
  expect(output).toContain(`their password of before again:\n    ${user.email}`);
  expect(output).toContain(`are published again:\n    shop-of-before of ${user.email}`);
  const ofKept = `of shop-that-stays of ${user.email}`;
  expect(output).toContain(`are open again:\n    API ${ofKept}\n    chat page ${ofKept}\n`);
  expect(output).not.toContain("webhook of");
  expect(output).toContain("1 invite that was used since is good once more");
  expect(output).not.toContain("WARNING");

  const lines: string[] = [];
  const other = await startTestStack({ dataDir: restoredDir, log: (line) => lines.push(line) });
  try {
    expect(lines.join("\n")).toContain("npm run data -- resume");
    expect(
      await other.sql("select status, error ->> 'hint' as hint from public.studio_runs where id = $1", [run]),
    ).toEqual([{ status: "interrupted", hint: expect.stringContaining("Check what it has done") }]);
    expect(await other.sql("select from auth.sessions")).toEqual([]);
    const claims = await other.sql("select private.studio_is_set_aside('claims', $1) as rests", [user.userId]);
    expect(claims).toEqual([{ rests: true }]);
    const signedIn = await createTestClient(other).auth.signInWithPassword({
      email: user.email,
      password: user.password,
    });
    expect(signedIn.error).toBeNull();
    const refused = await fetch(`${other.url}/operator/v1/resume`, { method: "POST" });
    expect(refused.status).toBe(401);
    expect((await data("resume", "--data", restoredDir)).output).toContain("go on");
    expect(await other.sql("select from private.studio_pause")).toEqual([]);
    expect((await data("resume", "--data", restoredDir)).output).toContain("nothing to resume");
  } finally {
    await other.stop();
  }

  const withoutKeys = await data("restore", folder, "--to", join(root, "keyless"));
  expect(withoutKeys.output).toContain("credentials cannot be opened");
});

test("while the studio rests, every door answers with 503", async () => {
  const gate = createDoorGate({ hasDoor: async () => true, keyState: async () => "open" }, () => true);
  for (const pathname of ["/hooks/shop", "/v1/models", "/c-api/shop/messages"]) {
    const call = {
      method: "POST",
      pathname,
      headers: new Headers(),
      address: "203.0.113.9",
      signal: new AbortController().signal,
    };
    const passed = () => Promise.reject(new Error("It came through."));
    expect((await gate.answer(call, passed)).status).toBe(503);
  }
});

test("what cannot be done is refused in words, and leaves nothing behind", async () => {
  const folder = join(root, "whole");
  expect((await data("backup", folder, "--data", dataDir)).code).toBe(0);
  expect((await data("verify", folder)).output).toContain("is whole");
  expect((await data("backup", folder, "--data", dataDir)).output).toContain("holds files already");
  expect((await data("backup", join(dataDir, "inside"), "--data", dataDir)).output).toContain("is within");
  expect((await data("backup", join(root, "none"), "--data", join(root, "nowhere"))).output).toContain(
    "holds no database",
  );
  expect((await data("restore", folder, "--to", dataDir)).output).toContain("holds a studio already");
  expect((await data("verify", root)).output).toContain("there is no backup.json");

  const path = join(folder, "database", "PG_VERSION");
  await appendFile(path, "x");
  const damaged = await data("verify", folder);
  expect([damaged.code, damaged.output]).toEqual([1, expect.stringContaining("is not as it was written")]);
  expect((await data("restore", folder, "--to", join(root, "new"))).code).toBe(1);
  expect(existsSync(join(root, "new", "database"))).toBe(false);
  await rm(path);
  expect((await data("verify", folder)).output).toContain("is missing");
  await writeFile(path, "17\n");
  await writeFile(join(folder, "database", "added"), "");
  expect((await data("verify", folder)).output).toContain("is no part of it");
  await writeFile(join(folder, "backup.json"), "{}");
  expect((await data("verify", folder)).output).toContain("is damaged, or was written by a newer version");
  expect((await readdir(root)).filter((name) => name.includes("unfinished"))).toEqual([]);
  expect(JSON.parse(await readFile(join(dataDir, "last-backup.json"), "utf8"))).toMatchObject({
    failure: { at: expect.any(String) },
  });
});

test("a backup that was begun and never ended gives way to the next one", async () => {
  const client = stack.database.connect();
  const online = createOnlineBackup(client);
  await online.begin();
  await online.begin();
  expect((await online.end()).label).toContain("START WAL LOCATION");
  await expect(online.end()).rejects.toThrow("not in progress");
  client.close();
});
