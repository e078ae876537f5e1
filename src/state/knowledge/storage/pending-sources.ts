import { browserTable } from "../../shared/storage/browser-table.ts";
import type { PendingSource, PendingSources } from "../../../services/knowledge.ts";

/** Waiting sources in IndexedDB; in memory where the browser keeps nothing, so that only a reload loses them. */
export function createPendingSources(factory: IDBFactory | undefined): PendingSources {
  const unkept = new Map<string, PendingSource>();
  const table = browserTable<PendingSource & { at?: number }>(() => factory, "switchyard-knowledge", "pending");

  return {
    async put(pending) {
      const kept = await table.put({ ...pending, at: Date.now() });
      if (!kept) unkept.set(pending.id, pending);
    },
    async list(owner) {
      const kept = await table.all();
      const ofOwner = kept.filter((pending) => pending.owner === owner).toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0));
      return [...ofOwner, ...[...unkept.values()].filter((pending) => pending.owner === owner)];
    },
    async remove(id) {
      unkept.delete(id);
      await table.remove(id);
    },
  };
}
