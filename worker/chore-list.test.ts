import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it, vi } from "vitest";
import { sharedTestStack } from "../supabase/local/testing/shared-stack.ts";
import { chores } from "./chores.ts";
import { logSeldom } from "./log-seldom.ts";
import { noWork } from "./metrics/work-figures.ts";
import { type WorkerStatement, workerStatements } from "./statements.ts";
import { startWorker } from "./worker.ts";

const owner = "00000000-0000-4000-8000-000000000001";

describe("S96 the list of chores", () => {
  afterEach(() => void vi.useRealTimers());

  it("S96 has everything that a worker asks of the database without a run", async () => {
    vi.useFakeTimers();
    const asked = new Set<WorkerStatement>();
    const due = new Set<unknown>();
    const answers: Partial<Record<WorkerStatement, unknown>> = {
      beat: { fenced: [], cancelled: [], decided: [] },
      expireWaits: 0,
      failLostRuns: 0,
    };
    const worker = startWorker({
      id: "worker",
      url: "http://127.0.0.1:9",
      publishableKey: "test-key-publishable",
      concurrency: 1,
      tokens: { tokenFor: () => Promise.resolve("test-key-token") },
      work: noWork(),
      log: () => undefined,
      door: {
        pollMs: 1_000,
        onWake: () => undefined,
        close: () => Promise.resolve(),
        ask: (statement, [name]) => {
          asked.add(statement);
          if (statement === "dueOwners") due.add(name);
          if (statement === "dueOwners") return Promise.resolve([{ owner, failing: false }]);
          return Promise.resolve(statement in answers ? [{ answer: answers[statement] }] : []);
        },
      },
    });
    await vi.advanceTimersByTimeAsync(60_000);
    const byItself = [...asked];
    await worker.stop(0);
    const listed: string[] = Object.values(chores).flatMap(({ statements }) => [...statements]);
    expect(
      byItself.filter((name) => !["nextRun", "beat", "dueOwners"].includes(name) && !listed.includes(name)),
    ).toEqual([]);
    const recurring = Object.entries(chores).filter(([, { everyMs }]) => everyMs !== null);
    expect([...due].toSorted()).toEqual(recurring.map(([name]) => name).toSorted());
  });

  it("S96 names an owner in each of its statements", () => {
    const listed = Object.values(chores).flatMap(({ statements }) => [...statements]);
    expect(listed.filter((statement) => !/\$\d::uuid/.test(workerStatements[statement]))).toEqual([]);
  });

  it("S96 is what the database lets workers do: each function is of a run, a worker or an owner, and knows every chore", async () => {
    const { sql } = await sharedTestStack();
    const functions = await sql<{ name: string; parameters: string; text: string }>(
      `select proname::text as name, pg_get_function_arguments(oid) as parameters, prosrc as text from pg_proc
       where pronamespace = 'private'::regnamespace and has_function_privilege('studio_worker', oid, 'execute')`,
    );
    const used = Object.values(workerStatements).join(" ");
    expect(functions.length).toBeGreaterThan(15);
    for (const { name, parameters } of functions) {
      // It tells workers of older versions that they are.
      if (name === "studio_claim_run") continue;
      expect(used, name).toContain(`private.${name}(`);
      // Prices of models are no owner's, and figures of the queue name nobody.
      if (!["studio_due_owners", "studio_model_prices", "studio_queue_figures"].includes(name))
        expect(parameters, name).toMatch(/p_(owner|run_id|trigger_id|worker) /);
    }
    const due = functions.find(({ name }) => name === "studio_due_owners")?.text;
    for (const name of Object.keys(chores)) expect(due).toContain(`'${name}'`);
  });

  it("S96 is all that the studio does beside requests: it asks the database nothing else for owners", () => {
    const folder = fileURLToPath(new URL("../supabase/local/", import.meta.url));
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
      (file) => /(?<!\.test)\.ts$/.test(file) && !/(^|[\\/])testing[\\/]/.test(file),
    );
    const named = files.flatMap((file) =>
      [...readFileSync(`${folder}${file}`, "utf8").matchAll(/private\.(studio_\w+)\(/g)].map(([, name]) => name),
    );
    // The first is for copies and restores, which are nobody's chore.
    expect([...new Set(named)].toSorted()).toEqual(["studio_add_events_month", "studio_drop_worker"]);
  });
});

it("says the same trouble once a minute, with how often it came meanwhile", () => {
  const lines: string[] = [];
  let now = 0;
  const say = logSeldom(
    (line) => lines.push(line),
    () => now,
  );
  for (; now < 61_000; now += 1_000) say("schedules", "No schedules.");
  say("traces", "No traces.");
  expect(lines).toEqual(["No schedules.", "No schedules. (59 more since the last message)", "No traces."]);
});
