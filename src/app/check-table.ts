import { browserTable } from "../state/shared/storage/browser-table.ts";
import type { KeptCheck } from "../state/evaluation/kept-checks.ts";

/** Checks of decisions that this browser keeps; by itself, so that what clears it need not load what fills it. */
export const checkTable = browserTable<KeptCheck>(() => globalThis.indexedDB, "switchyard-checks", "checks");
