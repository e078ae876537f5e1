import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fewestParts, type SharedRun } from "../../../../src/engine/run/share/shared-run.ts";
import { createSharedRuns } from "../../../../src/state/run/storage/shared-runs.ts";
import { createDoorGate } from "../../../local/http/door-gate.ts";
import { signUp, type SignedIn } from "../../../local/testing/clients.ts";
import { plant } from "../../../local/testing/sample-rows.ts";
import { startTestStack, type TestStack } from "../../../local/testing/start-stack.ts";

let stack: TestStack;
let [alice, bob]: SignedIn[] = [];

beforeAll(async () => {
  stack = await startTestStack({ functions: true });
  [alice, bob] = [await signUp(stack), await signUp(stack)];
});
afterAll(() => stack.stop());

const shared: SharedRun = {
  version: 1,
  title: "</script><script>alert(1)</script>",
  parts: fewestParts,
  types: {},
  nodes: [{ id: "a", type: "x", title: "<img src=x onerror=alert(1)>", position: { x: 0, y: 0 } }],
  edges: [],
  events: [],
};

const page = '<title>Shared run</title><script type="application/json" id="shared-run"></script>';
const sharesOf = (user: SignedIn | undefined) =>
  createSharedRuns({ database: user!.client as never }, () => Promise.resolve(page));

async function runOf(user: SignedIn | undefined, status = "completed"): Promise<string> {
  const workflow = await plant(stack, "studio_workflows", user!);
  const run = { id: randomUUID(), workflow_id: workflow["id"], status };
  return String((await plant(stack, "studio_runs", user!, run))["id"]);
}

const read = (slug: string, headers: Record<string, string> = {}) => fetch(`${stack.url}/s-api/${slug}`, { headers });
const statusOf = async (slug: string) => (await read(slug)).status;

test("S98 keeps nothing that the studio would not have made, whoever calls", async () => {
  const runId = await runOf(alice);
  const event = { runId: "shared", seq: 0, at: 0, type: "run-start" };
  const odd: [string, object][] = [
    ["no version", { ...shared, version: undefined }],
    ["another version", { ...shared, version: 2 }],
    ["a title that is none", { ...shared, title: { toString: "x" } }],
    ["types that are a list", { ...shared, types: [] }],
    ["nodes that are none", { ...shared, nodes: { length: 1 } }],
    ["more nodes than a workflow has", { ...shared, nodes: Array(2_001).fill(shared.nodes[0]) }],
    ["more wires than a workflow has", { ...shared, edges: Array.from({ length: 10_001 }, () => ({})) }],
    ["events that are none", { ...shared, events: "x".repeat(1_000) }],
    ["an event that is none", { ...shared, events: [null] }],
    ["a nameless event", { ...shared, events: [{ ...event, type: 1 }] }],
    ["an event of another run", { ...shared, events: [{ ...event, runId }] }],
    ["the same event twice", { ...shared, events: [event, event] }],
    ["events with a gap", { ...shared, events: [event, { ...event, seq: 2 }] }],
    ["nothing", {}],
  ];
  for (const [name, snapshot] of odd) {
    const asked = { p_run_id: runId, p_title: "x", p_parts: fewestParts, p_snapshot: snapshot };
    const { error } = await alice!.client.rpc("studio_share_run", asked);
    expect(error?.message, name).toContain("invalid_share");
  }
  expect((await sharesOf(alice).share(runId, { ...shared, events: [event as never] })).slug).toMatch(/^[0-9a-f]{32}$/);
});

describe("S98 a link to a run", () => {
  test("S98 shows the copy, and nothing by which its owner or the run could be found", async () => {
    const runId = await runOf(alice);
    const { slug } = await sharesOf(alice).share(runId, shared);
    expect(slug).toMatch(/^[0-9a-f]{32}$/);
    const response = await read(slug, { origin: "null" });
    expect(response.headers.get("access-control-allow-origin")).toBe("null");
    expect(response.headers.get("x-robots-tag")).toContain("noindex");
    expect(response.headers.get("cache-control")).toContain("no-store");
    const text = await response.text();
    expect(JSON.parse(text)).toEqual({ snapshot: shared, expiresAt: expect.any(String) });
    for (const secret of [runId, alice!.userId, slug]) expect(text).not.toContain(secret);
    expect((await read(slug, { origin: "https://elsewhere.example" })).headers.get("access-control-allow-origin")).toBe(
      null,
    );
    const [stored] = await stack.sql<{ row: string }>(
      "select shared::text as row from public.studio_shared_runs as shared where run_id = $1",
      [runId],
    );
    expect(stored?.row).not.toContain(slug);
  });

  test("S98 opens no more once it was revoked, has expired, or its run is deleted", async () => {
    const shares = sharesOf(alice);
    expect(await statusOf("0".repeat(32))).toBe(404);
    expect(await statusOf("x")).toBe(404);
    const runId = await runOf(alice);
    const [first, second] = [await shares.share(runId, shared), await shares.share(runId, shared)];
    expect((await shares.list(runId)).map(({ id }) => id)).toEqual([second.id, first.id]);
    await shares.revoke(first.id);
    expect([await statusOf(first.slug), await statusOf(second.slug)]).toEqual([404, 200]);
    await stack.sql("update public.studio_shared_runs set expires_at = now() where id = $1", [second.id]);
    expect(await statusOf(second.slug)).toBe(404);
    expect(await shares.list(runId)).toEqual([]);
    await stack.sql("select 1 from private.studio_prune_owner($1)", [alice!.userId]);
    expect(await stack.sql("select 1 from public.studio_shared_runs where id = $1", [second.id])).toEqual([]);
    const third = await shares.share(runId, shared);
    await alice!.client.from("studio_runs").delete().eq("id", runId);
    expect(await statusOf(third.slug)).toBe(404);
  });

  test("S98 is made, listed and revoked by the run's owner alone, of a run that has ended", async () => {
    const runId = await runOf(alice);
    const { id, slug } = await sharesOf(alice).share(runId, shared);
    await expect(sharesOf(bob).share(runId, shared)).rejects.toMatchObject({ name: "ServiceError" });
    expect(await sharesOf(bob).list(runId)).toEqual([]);
    await sharesOf(bob).revoke(id);
    expect(await statusOf(slug)).toBe(200);
    await expect(sharesOf(alice).share(await runOf(alice, "running"), shared)).rejects.toMatchObject({
      name: "ServiceError",
    });
    const direct = await bob!.client.rpc("studio_read_shared_run", { p_slug_hash: "0".repeat(64) });
    expect(direct.error?.code).toBe("42501");
  });

  test("S98 counts toward its owner's quota, has a largest size, and ends with the account at once", async () => {
    const carol = await signUp(stack);
    const runId = await runOf(carol);
    const { slug } = await sharesOf(carol).share(runId, shared);
    const large = { ...shared, title: "x".repeat(4_100_000) };
    await expect(sharesOf(carol).share(runId, large)).rejects.toThrow("too large");
    await stack.sql("select public.studio_set_quota('bytes', 100)");
    try {
      await expect(sharesOf(carol).share(runId, shared)).rejects.toMatchObject({ kind: "full" });
    } finally {
      await stack.sql("select public.studio_set_quota('bytes', 2000000000)");
    }
    expect(await statusOf(slug)).toBe(200);
    await stack.sql("select 1 from (select private.studio_begin_deletion($1)) as begun", [carol.userId]);
    expect(await statusOf(slug)).toBe(404);
    expect(await stack.sql("select 1 from public.studio_shared_runs where owner = $1", [carol.userId])).toEqual([]);
  });

  test("S98 is asked for so often from one network, and its page is sandboxed, framed by nobody and kept out of search", async () => {
    const gate = createDoorGate({ hasDoor: () => Promise.resolve(true), keyState: () => Promise.resolve("unknown") });
    const call = {
      method: "GET",
      pathname: `/s-api/${"a".repeat(32)}`,
      headers: new Headers(),
      address: "203.0.113.1",
    };
    const { signal } = new AbortController();
    const statuses = await Promise.all(
      Array.from(
        { length: 121 },
        async () => (await gate.answer({ ...call, signal }, async () => new Response())).status,
      ),
    );
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
    const { headers } = await fetch(`${stack.url}/s/${"a".repeat(32)}`);
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toMatch(/^sandbox allow-scripts[a-z -]*; default-src 'none'/);
    expect(policy).not.toContain("allow-same-origin");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(headers.get("x-frame-options")).toBe("DENY");
    expect(headers.get("x-robots-tag")).toContain("noindex");
  });
});

test("S98 a file holds the copy as data that no text in it can end", async () => {
  const html = await sharesOf(alice).asFile(shared);
  expect(html.match(/<script/g)).toHaveLength(1);
  expect(html).toContain("<title>&lt;/script&gt;");
  const data = /<script type="application\/json" id="shared-run">([^<]*)<\/script>/.exec(html)?.[1] ?? "";
  expect(JSON.parse(data)).toEqual(shared);
});
