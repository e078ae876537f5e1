import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { type SharedStack, sharedTestStack } from "../../../../supabase/local/testing/shared-stack.ts";
import { newDocument } from "../../../engine/document/new-document.ts";
import type { RunEvent } from "../../../engine/run/events.ts";
import { EventPacker } from "../../../engine/run/stored-events.ts";
import { markInterrupted } from "../mark-interrupted.ts";
import { reduceStoredRun } from "../reduce-stored-run.ts";
import { recordRun } from "../run-recorder.ts";
import { createRunStore, type SaveState } from "../run-store.ts";
import { type RunRepository, ServiceError } from "../../../services/services.ts";
import { createAuthService } from "../../account/storage/auth-service.ts";
import { createRunRepository } from "./run-repository.ts";
import { createSupabaseClient, type SupabaseClient } from "../../shared/storage/supabase-client.ts";
import { createWorkflowRepository } from "../../document/storage/workflow-repository.ts";

let stack: SharedStack;
let client: SupabaseClient;
let runs: RunRepository;
let workflowId: string;
const document = newDocument(randomUUID(), "Stored");

beforeAll(async () => {
  stack = await sharedTestStack();
  const config = { supabaseUrl: stack.url, supabaseKey: stack.key, embedded: true };
  client = createSupabaseClient(config, { persistSession: false });
  await createAuthService(client, null).enterAsGuest();
  runs = createRunRepository(client);
  workflowId = (await createWorkflowRepository(client).create(document)).id;
});

const picture = `data:image/png;base64,${"iVBORw0KGgo".repeat(50)}`;

/** A run's events: a node at work, and its end when it has one. */
function events(runId: string, options: { ends: boolean }): RunEvent[] {
  const at = Date.now();
  const made: RunEvent[] = [
    { runId, seq: 0, at, type: "run-start", workflowId, workflowName: "Stored", input: {} },
    { runId, seq: 1, at, type: "node-start", nodeId: "agent", input: { message: "hi", images: [picture] } },
  ];
  for (let seq = 2; seq < 250; seq += 1)
    made.push({ runId, seq, at, type: "log", level: "info", message: `line ${seq}`, data: [picture] });
  const usage = { inputTokens: 0, outputTokens: 0 };
  if (options.ends)
    made.push({
      runId,
      seq: 250,
      at,
      type: "run-end",
      outcome: "completed",
      output: 1,
      usage,
      costUsd: 0,
      durationMs: 5,
    });
  return made;
}

/** The connection breaks before or after a request; in the second case the database has the rows already. */
function breaking(
  faults: readonly ("" | "before" | "after")[],
): Pick<RunRepository, "start" | "appendEvents" | "finish"> {
  let requests = 0;
  const through = async (write: () => Promise<void>) => {
    const fault = faults[requests++] ?? "";
    if (fault === "before") throw new ServiceError("offline", "No connection.", "Check the network.");
    await write();
    if (fault === "after") throw new TypeError("Failed to fetch");
  };
  return {
    start: (run) => through(() => runs.start(run)),
    appendEvents: (runId, part) => through(() => runs.appendEvents(runId, part)),
    finish: (...end) => through(() => runs.finish(...end)),
  };
}

describe("a run and its database", () => {
  it("S57 the run ends although the database was away; what happened is stored once, and said meanwhile", async () => {
    const id = randomUUID();
    const store = createRunStore((work) => work());
    store.getState().begin(id, {});
    const said: SaveState["status"][] = [];
    const recorder = recordRun(
      { id, workflowId, input: {}, document, startedAt: Date.now() },
      {
        repository: breaking(["before", "after", "", "before", "after", "after", "", "before", "after"]),
        registry: {},
        onState: (state) => {
          said.push(state.status);
          store.getState().setSaving(id, state);
        },
        sleep: () => new Promise((resolve) => setTimeout(resolve, 0)),
      },
    );
    const made = events(id, { ends: true });
    for (const event of made) {
      store.getState().apply([event]);
      recorder.push(event);
    }
    store.getState().flush();
    // The run itself did not wait for its storage.
    expect(store.getState().runs[id]?.status).toBe("completed");
    await recorder.done;
    expect(said).toContain("retrying");
    expect(store.getState().saving[id]).toEqual({ status: "saved" });
    expect(await runs.events(id)).toEqual(made);
    const { data: rows } = await client.database.from("studio_run_events").select("event").eq("run_id", id);
    expect(JSON.stringify(rows).split(picture)).toHaveLength(2);
    expect((await runs.list(workflowId, 10)).filter((run) => run.id === id)).toMatchObject([{ status: "completed" }]);
  });

  it("comes back in order and whole, however many pages it takes, pictures and all", async () => {
    const id = randomUUID();
    await runs.start({ id, workflowId, input: {}, document, startedAt: Date.now() });
    const lines = Array.from({ length: 4_200 }, (_, seq): RunEvent => {
      const data = seq % 1_500 === 0 ? [picture] : [];
      return { runId: id, seq, at: 1, type: "log", level: "info", message: `line ${seq}`, data };
    });
    const packer = new EventPacker();
    const rows = lines.map((event) => packer.pack(event));
    for (let start = 0; start < rows.length; start += 500) await runs.appendEvents(id, rows.slice(start, start + 500));
    expect(await runs.events(id)).toEqual(lines);
    expect(await runs.events(randomUUID())).toEqual([]);
  });

  it("keeps a picture of its input and output once, beside words that can be searched", async () => {
    const id = randomUUID();
    const input = { message: "What is on it?", images: [picture, picture], note: "switchyard-picture:0/input" };
    const output = { seen: [picture] };
    const at = Date.now();
    const usage = { inputTokens: 0, outputTokens: 0 };
    const made: RunEvent[] = [
      { runId: id, seq: 0, at, type: "run-start", workflowId, workflowName: "Stored", input },
      { runId: id, seq: 1, at, type: "run-end", outcome: "completed", output, usage, costUsd: 0, durationMs: 5 },
    ];
    const recorder = recordRun(
      { id, workflowId, input, document, startedAt: at },
      { repository: runs, registry: {}, onState: () => {} },
    );
    for (const event of made) recorder.push(event);
    await recorder.done;

    const { data: rows } = await client.database.from("studio_runs").select("*").eq("id", id);
    const { data: events } = await client.database.from("studio_run_events").select("*").eq("run_id", id);
    expect(JSON.stringify([rows, events]).split(picture)).toHaveLength(2);
    expect(await runs.get(id)).toMatchObject({ input, output });
    expect(await runs.events(id)).toEqual(made);
    const images = ["[picture]", "[picture]"];
    expect((await runs.page({ text: "on it?" }, 5)).runs).toMatchObject([{ id, input: { ...input, images } }]);
    expect((await runs.page({ text: "iVBORw0KGgo" }, 5)).runs).toEqual([]);
  });

  it("comes back as it was where its row has the pictures themselves", async () => {
    const id = randomUUID();
    const input = { message: "Older", images: [picture] };
    await runs.start({ id, workflowId, input, document, startedAt: Date.now() });
    expect((await runs.get(id)).input).toEqual(input);
  });

  it("keeps what it was given when it ends before its first event says so", async () => {
    const id = randomUUID();
    const input = { images: [picture] };
    const recorder = recordRun(
      { id, workflowId, input, document, startedAt: Date.now() },
      { repository: runs, registry: {}, onState: () => {} },
    );
    recorder.push(events(id, { ends: true }).slice(-1)[0]!);
    await recorder.done;
    expect((await runs.get(id)).input).toEqual(input);
  });

  it("S58 a run whose tab is gone is found and marked at the next open, and nothing of it is run again", async () => {
    const id = randomUUID();
    await runs.start({ id, workflowId, input: {}, document, startedAt: Date.now() });
    const made = events(id, { ends: false });
    await runs.appendEvents(id, made);
    const alive = { runs, workflowId, own: [id], now: Date.now() };
    expect(await markInterrupted({ ...alive, alive: new Set([id]) })).toEqual([]);
    expect(await markInterrupted({ ...alive, alive: new Set() })).toEqual([id]);
    expect(await markInterrupted({ ...alive, alive: new Set() })).toEqual([]);
    const [stored] = (await runs.page({ statuses: ["interrupted"] }, 5)).runs;
    expect(stored).toMatchObject({ id, status: "interrupted", error: { code: "cancelled" } });
    expect(await runs.events(id)).toEqual(made);

    const store = createRunStore((work) => work());
    const kept = await runs.events(id);
    store.getState().open(await reduceStoredRun({ id, status: stored?.status ?? "running" }, kept), kept);
    const shown = store.getState().runs[id];
    expect(shown?.status).toBe("interrupted");
    expect(shown?.nodes.agent).toMatchObject({ status: "failed", error: { nodeId: "agent" } });
  });
});
