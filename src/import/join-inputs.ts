import type { Draft } from "./draft.ts";

/**
 * Several edges into an input that takes one meet in a merge node first: `first` goes on with the first that arrives,
 * `all` waits for every one that runs.
 */
export function joinInputs(draft: Draft, mode: "first" | "all"): void {
  for (const record of Object.values(draft.nodes)) {
    if (record.type === "merge" || record.type === "placeholder") continue;
    const edges = draft.into(record.id, "main");
    if (edges.length < 2) continue;
    const { title } = draft.reserve(`To ${record.title}`.slice(0, 150));
    const merge = draft.add("merge", title, { mode }, { x: record.position.x - 60, y: record.position.y + 110 });
    for (const edge of edges) {
      draft.remove(edge);
      draft.connect(edge.from.node, edge.from.port, merge.id, "main");
    }
    draft.connect(merge.id, "main", record.id, "main");
  }
}
