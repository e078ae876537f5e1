import type { Patch } from "immer";

/** One undo step: what it did in words, and the patches for both directions. */
export interface UndoStep {
  label: string;
  patches: Patch[];
  inverse: Patch[];
}

function samePlace(a: Patch, b: Patch): boolean {
  return a.path.length === b.path.length && a.path.every((part, index) => part === b.path[index]);
}

/**
 * Joins a later step to an earlier one of the same gesture. Overwriting one value again and again, as typing does,
 * keeps a single patch.
 */
export function joinSteps(earlier: UndoStep, later: UndoStep): UndoStep {
  const before = earlier.patches.at(-1);
  const after = later.patches[0];
  const overwrites =
    later.patches.length === 1 &&
    earlier.patches.length === 1 &&
    before?.op === "replace" &&
    after?.op === "replace" &&
    samePlace(before, after);
  if (overwrites) return { label: earlier.label, patches: later.patches, inverse: earlier.inverse };
  return {
    label: earlier.label,
    patches: [...earlier.patches, ...later.patches],
    inverse: [...later.inverse, ...earlier.inverse],
  };
}
