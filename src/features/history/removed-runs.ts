import type { QueryClient } from "@tanstack/react-query";
import { createStore } from "zustand/vanilla";
import { beforeSignOut } from "../../state/account/before-sign-out.ts";
import { forgetRemoval, keepRemoval, keptRemovals } from "../../state/run/kept-removals.ts";
import { newId } from "../../state/shared/new-id.ts";
import type { AuthService, RunRepository } from "../../services/services.ts";
import { heldTabLocks, holdTabLock } from "../../state/shared/tab-lock.ts";
import { hideToast, showError, showToast } from "../../ui/feedback/toast-store.ts";

/** Runs that are deleted as far as the person is concerned; lists leave them out. */
export const removedRuns = createStore<{ ids: ReadonlySet<string> }>()(() => ({ ids: new Set() }));

function change(alter: (ids: Set<string>) => void): void {
  const ids = new Set(removedRuns.getState().ids);
  alter(ids);
  removedRuns.setState({ ids });
}

/** Says to other tabs that a deletion can still be undone here. */
const lockPrefix = "switchyard-removal-";

interface RemovalServices {
  runs: Pick<RunRepository, "remove">;
  auth: Pick<AuthService, "current">;
  queries: QueryClient;
}

/**
 * Takes runs out of the lists at once and deletes them when the message that offers to undo it is gone, or before the
 * person signs out. What a closed tab, or a sign-out in another one, left undone `finishRemovals` does at the next visit.
 */
export function removeRuns(runIds: readonly string[], { runs, auth, queries }: RemovalServices): void {
  if (runIds.length === 0) return;
  const show = () => change((ids) => runIds.forEach((id) => ids.delete(id)));
  change((ids) => runIds.forEach((id) => ids.add(id)));
  const id = newId();
  const release = holdTabLock(lockPrefix + id);
  const current = () =>
    auth.current().then(
      (account) => account?.id ?? null,
      () => null,
    );
  const kept = current().then((owner) => {
    if (owner !== null) keepRemoval({ id, owner, runIds });
    return owner;
  });
  const settle = async () => {
    await kept;
    forgetRemoval(id);
    end();
  };
  const remove = async () => {
    const owner = await kept;
    if ((await current()) !== owner) return end();
    try {
      await runs.remove(runIds);
      await queries.invalidateQueries({ queryKey: ["runs"] });
    } catch (error) {
      show();
      showError(error);
    }
    await settle();
  };

  let removing: Promise<void> | undefined;
  showToast(runIds.length === 1 ? "Run deleted" : `${runIds.length} runs deleted`, {
    id,
    action: {
      label: "Undo",
      onClick: () => {
        show();
        void settle();
      },
    },
    onGone: () => (removing = remove()),
  });
  const takeBack = beforeSignOut(async () => {
    hideToast(id);
    await removing;
  });
  function end(): void {
    takeBack();
    release();
  }
}

/** Deletes the account's runs whose tab was closed before it could; those that a tab still offers to undo are left alone. */
export async function finishRemovals(owner: string, { runs, queries }: Omit<RemovalServices, "auth">): Promise<void> {
  const alive = await heldTabLocks(lockPrefix);
  const left = keptRemovals().filter((removal) => removal.owner === owner && alive?.has(removal.id) !== true);
  for (const { id, runIds } of left) {
    change((ids) => runIds.forEach((runId) => ids.add(runId)));
    await runs.remove(runIds);
    forgetRemoval(id);
  }
  if (left.length > 0) await queries.invalidateQueries({ queryKey: ["runs"] });
}
