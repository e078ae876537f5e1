import type { ApprovalRequest } from "../../engine/host.ts";

type Asked = Pick<ApprovalRequest, "toolName" | "form" | "message" | "again" | "preview">;

/** Whether calls of one tool may be answered together: plain calls, whose arguments are all there is to see. */
export function isPlainCall({ form, message, again, preview }: Asked): boolean {
  return form === undefined && message === undefined && again === undefined && preview === undefined;
}

/** What waits, as sets that can be answered together: equal keys, in the order of their first. Without a key each stands alone. */
export function inSets<T>(waiting: readonly T[], keyOf: (one: T) => string | undefined): T[][] {
  const sets = new Map<string, T[]>();
  const all: T[][] = [];
  for (const one of waiting) {
    const key = keyOf(one);
    const known = key === undefined ? undefined : sets.get(key);
    if (known) known.push(one);
    else {
      const set = [one];
      all.push(set);
      if (key !== undefined) sets.set(key, set);
    }
  }
  return all;
}
