import { browserTable } from "../../stores/browser-table.ts";
import type { PendingSource, PendingSources } from "../../stores/knowledge-services.ts";

/** Waiting sources in IndexedDB; in memory where the browser keeps nothing, so that only a reload loses them. */
export function createPendingSources(factory: IDBFactory | undefined): PendingSources {
  const unkept = new Map<string, PendingSource>();
  const { ask } = browserTable(() => factory, "switchyard-knowledge", "pending");

  return {
    async put(pending) {
      const kept = await ask("readwrite", (store) => store.put({ ...pending, at: Date.now() }));
      if (kept === undefined) unkept.set(pending.id, pending);
    },
    async list(owner) {
      const kept = (await ask<(PendingSource & { at?: number })[]>("readonly", (store) => store.getAll())) ?? [];
      const ofOwner = kept.filter((pending) => pending.owner === owner).toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0));
      return [...ofOwner, ...[...unkept.values()].filter((pending) => pending.owner === owner)];
    },
    async remove(id) {
      unkept.delete(id);
      await ask("readwrite", (store) => store.delete(id));
    },
  };
}
