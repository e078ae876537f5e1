import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { buildWorkflow } from "../src/engine/testing/build-workflow.ts";
import { openDatabase } from "./open-database.ts";
import { openPostgresDoor } from "./postgres-door.ts";
import { NoAnswer } from "./sql-door.ts";
import { startQueueOnPostgres } from "./testing/queue-on-postgres.ts";

let queue: Awaited<ReturnType<typeof startQueueOnPostgres>>;

beforeAll(async () => {
  queue = await startQueueOnPostgres(
    randomUUID(),
    buildWorkflow({ id: randomUUID(), name: "empty", nodes: { chat: ["chat-trigger"] }, edges: [] }),
  );
});
afterAll(() => queue.stop());

it("a door whose connections are ended again and again answers each statement, and hears of runs afterwards", async () => {
  const door = await openPostgresDoor(queue.workerUrl, () => {});
  const failures: unknown[] = [];
  let answered = 0;
  const over = new AbortController();
  const asking = Array.from({ length: 6 }, async () => {
    while (!over.signal.aborted) {
      await door.ask("answers", [randomUUID()]).then(
        () => (answered += 1),
        (error: unknown) => failures.push(error),
      );
    }
  });
  for (let round = 0; round < 60; round += 1) {
    await queue.rows(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'switchyard-worker'",
    );
  }
  const answeredInTheStorm = answered;
  await expect.poll(() => answered).toBeGreaterThan(answeredInTheStorm);
  over.abort();
  await Promise.all(asking);
  expect(failures.filter((error) => !(error instanceof NoAnswer))).toEqual([]);

  let woken = 0;
  door.onWake(() => (woken += 1));
  expect(await door.ask("answers", [randomUUID()])).toEqual([]);
  await expect
    .poll(async () => {
      await queue.rows("select pg_notify('studio_runs', '')");
      return woken;
    })
    .toBeGreaterThan(0);
  await door.close();
});

it.each([
  ["a password that is wrong", () => queue.workerUrl.replace(/:[^:@]+@/, ":wrong@"), "alter role studio_worker login"],
  ["a database of no studio", () => queue.workerUrl.replace(/[^/]+$/, "template1"), "refuses the worker (schema"],
  [
    "a server that is away",
    () => "postgres://studio_worker@127.0.0.1:1/studio",
    "cannot be reached (connect ECONNREFUSED",
  ],
])("%s is refused at the start, with what to do", async (_what, url, words) => {
  const opening = openDatabase(url(), () => {});
  await expect(opening).rejects.toThrow(words);
  await expect(opening).rejects.toThrow("The database of DATABASE_URL");
});
