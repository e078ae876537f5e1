import { z } from "zod/mini";
import { listOf, stored } from "../shared/stored.ts";

/** Runs whose deletion can still be undone, kept in this browser so that closing the tab does not undo it. */
const removal = z.object({
  id: z.string(),
  /** Id of the account; only when it is signed in again can they be deleted. */
  owner: z.string(),
  runIds: z.readonly(listOf(z.string())),
});
type Removal = z.infer<typeof removal>;

/** Without storage a tab that is closed before has deleted nothing. */
const kept = stored("switchyard:removed-runs", listOf(removal));

/** Of accounts that never come back the oldest go. */
const mostKept = 50;

export function keepRemoval(added: Removal): void {
  write([...keptRemovals(), added].slice(-mostKept));
}

/** Called when the runs are deleted, and when they are not to be. */
export function forgetRemoval(id: string): void {
  write(keptRemovals().filter((each) => each.id !== id));
}

/** Of all accounts. */
export function keptRemovals(): Removal[] {
  return kept.read() ?? [];
}

function write(removals: readonly Removal[]): void {
  if (removals.length === 0) kept.remove();
  else kept.write([...removals]);
}
