import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type PoolOptions, threadPool } from "./thread-pool.ts";
import type { ThreadListener, WorkThread } from "./work-thread.ts";

/** A thread whose news the test tells itself. */
interface ScriptedThread extends ThreadListener<string> {
  requests: string[];
  ended: boolean;
}

function scriptedPool(options: Partial<PoolOptions<string, string>> = {}) {
  const threads: ScriptedThread[] = [];
  const start = () =>
    new Promise<WorkThread<string, string>>((resolve) => {
      const thread: ScriptedThread = {
        requests: [],
        ended: false,
        onStarted: () => undefined,
        onAnswer: () => undefined,
        onFailure: () => undefined,
      };
      threads.push(thread);
      resolve({
        listen: (listener) => Object.assign(thread, listener),
        send: (request) => thread.requests.push(request),
        terminate: () => (thread.ended = true),
      });
    });
  const limits = { deadlineMs: 1_000, tooLong: "too long", failed: "failed", notStarted: "not started" };
  const run = threadPool<string, string>({ start, limitsOf: () => limits, maxThreads: 1, ...options });
  const thread = (index: number): ScriptedThread => {
    const found = threads[index];
    if (!found) throw new Error(`There is no thread ${index}.`);
    return found;
  };
  const answer = async (index: number, text: string) => {
    thread(index).onStarted();
    thread(index).onAnswer(text);
    await settled();
  };
  return { run, threads, thread, answer };
}

/** Lets what was promised happen; no time passes. */
const settled = () => vi.advanceTimersByTimeAsync(0);
const signal = new AbortController().signal;

describe("threadPool", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("S21 counts neither the wait for a thread nor its start, only the work", async () => {
    const { run, thread, answer } = scriptedPool();
    const first = run("first", signal);
    const second = run("second", signal);
    await settled();
    expect(thread(0).requests).toEqual(["first"]);
    await vi.advanceTimersByTimeAsync(600_000);
    await answer(0, "done");
    expect(await first).toBe("done");
    expect(thread(0).requests).toEqual(["first", "second"]);
    await vi.advanceTimersByTimeAsync(600_000);
    thread(0).onStarted();
    await vi.advanceTimersByTimeAsync(999);
    expect(thread(0).ended).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await second).toBe("too long");
    expect(thread(0).ended).toBe(true);
  });

  it("S21 counts each part anew of a request whose thread says that it starts one", async () => {
    const { run, thread } = scriptedPool();
    const pages = run("pages", signal);
    await settled();
    for (let page = 0; page < 5; page += 1) {
      thread(0).onStarted();
      await vi.advanceTimersByTimeAsync(999);
    }
    expect(thread(0).ended).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await pages).toBe("too long");
    expect(thread(0).ended).toBe(true);
  });

  it("S21 leaves out what is cancelled while it waits, and ends the thread of what is cancelled while it works", async () => {
    const { run, threads, thread, answer } = scriptedPool();
    const [stopFirst, stopSecond] = [new AbortController(), new AbortController()];
    const first = run("first", stopFirst.signal);
    const second = run("second", stopSecond.signal);
    const third = run("third", signal);
    await settled();
    stopSecond.abort(new Error("stopped"));
    await expect(second).rejects.toThrow("stopped");
    thread(0).onStarted();
    stopFirst.abort(new Error("stopped as well"));
    await expect(first).rejects.toThrow("stopped as well");
    expect(thread(0)).toMatchObject({ ended: true, requests: ["first"] });
    await settled();
    await answer(1, "done");
    expect(await third).toBe("done");
    expect(threads).toHaveLength(2);
    await expect(run("late", stopFirst.signal)).rejects.toThrow("stopped as well");
  });

  it.each([
    ["a thread that ended by itself", "failed", (thread: ScriptedThread) => thread.onFailure()],
    ["an answer that reached a limit", "limit", (thread: ScriptedThread) => thread.onAnswer("limit")],
  ])("S22 replaces the thread after %s", async (_what, expected, end) => {
    const { run, threads, thread, answer } = scriptedPool({ isLast: (text) => text === "limit" });
    const first = run("first", signal);
    const second = run("second", signal);
    await settled();
    thread(0).onStarted();
    end(thread(0));
    expect(await first).toBe(expected);
    await settled();
    expect(thread(0).ended).toBe(true);
    await answer(1, "done");
    expect(await second).toBe("done");
    expect(threads).toHaveLength(2);
  });

  it("S26 gives no thread to a second owner, and an owner without one the next", async () => {
    const { run, threads, thread, answer } = scriptedPool({ maxThreads: 2 });
    const mine = ["a1", "a2", "a3", "a4"].map((request) => run(request, signal, "a"));
    await settled();
    const theirs = run("b1", signal, "b");
    await answer(0, "done a1");
    expect(thread(0)).toMatchObject({ requests: ["a1"], ended: true });
    expect(thread(2).requests).toEqual(["b1"]);
    await answer(1, "done a2");
    expect(thread(1).requests).toEqual(["a2", "a3"]);
    // A thread that is idle makes room for another owner's.
    await answer(2, "done b1");
    expect(thread(2)).toMatchObject({ requests: ["b1"], ended: true });
    expect(thread(3).requests).toEqual(["a4"]);
    await answer(1, "done a3");
    await answer(3, "done a4");
    expect(await Promise.all([...mine, theirs])).toEqual(["done a1", "done a2", "done a3", "done a4", "done b1"]);
    expect(threads.filter(({ ended }) => !ended)).toHaveLength(2);
  });

  it("ends threads that have been idle for a while", async () => {
    const { run, thread, answer } = scriptedPool();
    const first = run("first", signal);
    await settled();
    await answer(0, "done");
    expect(await first).toBe("done");
    expect(thread(0).ended).toBe(false);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(thread(0).ended).toBe(true);
  });

  it("says of each request that its thread cannot be started", async () => {
    const { run } = scriptedPool({ start: () => Promise.reject(new Error("offline")) });
    expect(await Promise.all([run("first", signal), run("second", signal)])).toEqual(["not started", "not started"]);
  });
});
