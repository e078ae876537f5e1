import { QueryClient } from "@tanstack/react-query";
import { afterEach, expect, it, vi } from "vitest";
import { ServiceError } from "../../stores/services.ts";
import { currentToasts, hideToast, takeToastAction } from "../../ui/toast-store.ts";
import { removedRuns, removeRuns } from "./removed-runs.ts";

afterEach(() => {
  for (const { id } of currentToasts()) hideToast(id);
  removedRuns.setState({ ids: new Set() });
});

const message = () => currentToasts().at(-1)?.id ?? "";

function start(remove: (ids: readonly string[]) => Promise<void>) {
  const removed = vi.fn<typeof remove>(remove);
  removeRuns(["a", "b"], { runs: { remove: removed }, queries: new QueryClient() });
  return removed;
}

it("hides runs at once and deletes them when the message that offers to undo it is gone", () => {
  const remove = start(async () => {});
  expect([...removedRuns.getState().ids]).toEqual(["a", "b"]);
  expect(remove).not.toHaveBeenCalled();
  hideToast(message());
  expect(remove).toHaveBeenCalledExactlyOnceWith(["a", "b"]);
  expect([...removedRuns.getState().ids]).toEqual(["a", "b"]);
});

it("deletes nothing after an undo", () => {
  const remove = start(async () => {});
  takeToastAction(message());
  expect(removedRuns.getState().ids.size).toBe(0);
  expect(remove).not.toHaveBeenCalled();
});

it("shows the runs again and says why when they could not be deleted", async () => {
  start(() => Promise.reject(new ServiceError("offline", "You are offline.", "Try again.")));
  hideToast(message());
  await expect.poll(() => removedRuns.getState().ids.size).toBe(0);
  expect(currentToasts().at(-1)).toMatchObject({ tone: "error", message: "You are offline." });
});
