import { QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { doBeforeSignOut } from "../../state/account/before-sign-out.ts";
import { keptRemovals } from "../../state/run/kept-removals.ts";
import { type Account, ServiceError } from "../../services/services.ts";
import { currentToasts, hideToast, takeToastAction } from "../../ui/feedback/toast-store.ts";
import { finishRemovals, removedRuns, removeRuns } from "./removed-runs.ts";

/** Locks of this browser, of which another tab holds some. */
const locks = { held: new Set<string>() };
let account: Account | null;

beforeEach(() => {
  const map = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => map.get(key) ?? null,
    setItem: (key: string, value: string) => void map.set(key, value),
    removeItem: (key: string) => void map.delete(key),
  });
  vi.stubGlobal("navigator", {
    locks: {
      request: async (name: string, work: () => Promise<void>) => {
        locks.held.add(name);
        await work();
        locks.held.delete(name);
      },
      query: async () => ({ held: [...locks.held].map((name) => ({ name })), pending: [] }),
    },
  });
  account = { id: "alice", guest: false };
});

afterEach(async () => {
  account = null;
  await doBeforeSignOut();
  for (const { id } of currentToasts()) hideToast(id);
  removedRuns.setState({ ids: new Set() });
  locks.held.clear();
  vi.unstubAllGlobals();
});

const message = () => currentToasts().at(-1)?.id ?? "";

function start(remove: (ids: readonly string[]) => Promise<void> = async () => {}) {
  const removed = vi.fn<typeof remove>(remove);
  const auth = { current: () => Promise.resolve(account) };
  removeRuns(["a", "b"], { runs: { remove: removed }, auth, queries: new QueryClient() });
  return removed;
}

/** What the next visit deletes. */
async function visit(owner: string, remove: (ids: readonly string[]) => Promise<void> = async () => {}) {
  const removed = vi.fn<typeof remove>(remove);
  await finishRemovals(owner, { runs: { remove: removed }, queries: new QueryClient() });
  return removed;
}

describe("deleting runs", () => {
  it("hides them at once and deletes them when the message that offers to undo it is gone", async () => {
    const remove = start();
    expect([...removedRuns.getState().ids]).toEqual(["a", "b"]);
    await expect.poll(keptRemovals).toHaveLength(1);
    expect(remove).not.toHaveBeenCalled();
    hideToast(message());
    await expect.poll(() => remove.mock.calls).toEqual([[["a", "b"]]]);
    expect([...removedRuns.getState().ids]).toEqual(["a", "b"]);
    await expect.poll(keptRemovals).toEqual([]);
    await expect.poll(() => locks.held.size).toBe(0);
    await doBeforeSignOut();
    expect(remove).toHaveBeenCalledTimes(1);
  });

  it("deletes nothing after an undo, now or at the next visit", async () => {
    const remove = start();
    takeToastAction(message());
    expect(removedRuns.getState().ids.size).toBe(0);
    await expect.poll(() => locks.held.size).toBe(0);
    await doBeforeSignOut();
    expect(remove).not.toHaveBeenCalled();
    expect(await visit("alice")).not.toHaveBeenCalled();
  });

  it("shows them again and says why when they could not be deleted", async () => {
    start(() => Promise.reject(new ServiceError("offline", "You are offline.", "Try again.")));
    hideToast(message());
    await expect.poll(() => removedRuns.getState().ids.size).toBe(0);
    expect(currentToasts().at(-1)).toMatchObject({ tone: "error", message: "You are offline." });
    expect(await visit("alice")).not.toHaveBeenCalled();
  });

  it("does not wait for the message where the person signs out", async () => {
    let deleted = false;
    start(async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      deleted = true;
    });
    await doBeforeSignOut();
    expect(deleted).toBe(true);
    expect(currentToasts()).toEqual([]);
  });

  it("is made up for at the next visit where the tab was closed before, and only by its owner", async () => {
    start();
    await expect.poll(keptRemovals).toHaveLength(1);
    // The tab is gone: nothing it waited for happens, and its lock is let go.
    locks.held.clear();
    expect(await visit("bob")).not.toHaveBeenCalled();
    await expect(visit("alice", () => Promise.reject(new Error("No connection.")))).rejects.toThrow("No connection.");
    expect((await visit("alice")).mock.calls).toEqual([[["a", "b"]]]);
    expect([...removedRuns.getState().ids]).toEqual(["a", "b"]);
    expect(await visit("alice")).not.toHaveBeenCalled();
  });

  it("is left to the tab that still offers to undo it", async () => {
    start();
    await expect.poll(keptRemovals).toHaveLength(1);
    expect(await visit("alice")).not.toHaveBeenCalled();
  });

  it("waits for its owner where another tab signed out", async () => {
    const remove = start();
    await expect.poll(keptRemovals).toHaveLength(1);
    account = { id: "bob", guest: false };
    hideToast(message());
    await expect.poll(() => locks.held.size).toBe(0);
    expect(remove).not.toHaveBeenCalled();
    expect(await visit("alice")).toHaveBeenCalledTimes(1);
  });

  it("reads nothing but removals from the browser's storage", async () => {
    localStorage.setItem("switchyard:removed-runs", '[1,{"id":"x"},{"id":"y","owner":"alice","runIds":["c",2]}]');
    expect(keptRemovals()).toEqual([{ id: "y", owner: "alice", runIds: ["c"] }]);
    localStorage.setItem("switchyard:removed-runs", "{nothing");
    expect(keptRemovals()).toEqual([]);
  });
});
