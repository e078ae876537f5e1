import { expect, test } from "vitest";
import { DatabaseUnavailable } from "../database/database-client.ts";
import { createTurnQueue } from "./turn-queue.ts";

test("S61 parties take turns, so that a burst of one keeps nobody else waiting", async () => {
  const queue = createTurnQueue();
  const owner = {};
  const done: string[] = [];
  const ask = (party: string, what: string) =>
    queue.take(owner, () => Promise.resolve(void done.push(`${party} ${what}`)), party);
  const burst = Array.from({ length: 4 }, (_, index) => ask("guest", String(index)));
  const other = [ask("ada", "save"), ask("ada", "load")];
  expect(queue.length()).toBe(5);
  await Promise.all([...burst, ...other]);
  expect(done).toEqual(["guest 0", "guest 1", "ada save", "guest 2", "ada load", "guest 3"]);
  expect(queue.length()).toBe(0);
});

test("S91 within a party its members take turns, each in the order they asked", async () => {
  const queue = createTurnQueue();
  const owner = {};
  const done: string[] = [];
  const ask = (member: string, what: number, party = "page") =>
    queue.take(owner, () => Promise.resolve(void done.push(`${member} ${what}`)), party, member);
  const first = [0, 1, 2, 3].map((what) => ask("loud", what));
  const late = [ask("quiet", 0), ask("other", 0, "elsewhere"), ask("quiet", 1), ask("loud", 4), ask("third", 0)];
  await Promise.all([...first, ...late]);
  expect(done.filter((one) => !one.startsWith("other"))).toEqual([
    "loud 0",
    "loud 1",
    "quiet 0",
    "third 0",
    "loud 2",
    "quiet 1",
    "loud 3",
    "loud 4",
  ]);
  expect(done.indexOf("other 0")).toBeLessThan(4);
});

test("who waits too long is dropped, and what comes after it keeps its turn", async () => {
  let now = 0;
  const queue = createTurnQueue({ now: () => now });
  const [requests, worker] = [{}, {}];
  let finish = () => {};
  const first = queue.take(requests, () => new Promise<void>((resolve) => (finish = resolve)), "ada");
  const late = queue.take(requests, () => Promise.resolve("late"), "ada");
  const ofWorker = queue.take(worker, () => Promise.resolve("worker"));
  now = 2_000;
  const fresh = queue.take(requests, () => Promise.resolve("fresh"), "ada");
  queue.drop("not-started", ({ owner, waitedMs }) => owner === requests && waitedMs > 1_000);
  await expect(late).rejects.toBeInstanceOf(DatabaseUnavailable);
  finish();
  expect(await Promise.all([first, ofWorker, fresh])).toEqual([undefined, "worker", "fresh"]);
});
