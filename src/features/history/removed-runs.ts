import type { QueryClient } from "@tanstack/react-query";
import { createStore } from "zustand/vanilla";
import type { RunRepository } from "../../stores/services.ts";
import { showError, showToast } from "../../ui/toast.tsx";

/** Runs that are deleted as far as the person is concerned; lists leave them out. */
export const removedRuns = createStore<{ ids: ReadonlySet<string> }>()(() => ({ ids: new Set() }));

function change(alter: (ids: Set<string>) => void): void {
  const ids = new Set(removedRuns.getState().ids);
  alter(ids);
  removedRuns.setState({ ids });
}

/**
 * Takes runs out of the lists at once and deletes them when the message that offers to undo it is gone. A tab that is closed
 * before has deleted nothing: what is gone for good was meant.
 */
export function removeRuns(
  runIds: readonly string[],
  { runs, queries }: { runs: Pick<RunRepository, "remove">; queries: QueryClient },
): void {
  if (runIds.length === 0) return;
  const show = () => change((ids) => runIds.forEach((id) => ids.delete(id)));
  change((ids) => runIds.forEach((id) => ids.add(id)));
  const remove = async () => {
    try {
      await runs.remove(runIds);
      await queries.invalidateQueries({ queryKey: ["runs"] });
    } catch (error) {
      show();
      showError(error);
    }
  };
  showToast(runIds.length === 1 ? "Run deleted" : `${runIds.length} runs deleted`, {
    action: { label: "Undo", onClick: show },
    onGone: () => void remove(),
  });
}
