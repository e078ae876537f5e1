import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import type { LogNames } from "./log-text.ts";

/** What the nodes of a workflow are called; a node or an edge that is gone keeps the names that it had last. */
export class KnownNames {
  private readonly titles = new Map<string, string>();
  private readonly ends = new Map<string, { from: string; to: string }>();
  private seen: Pick<WorkflowDocument, "nodes" | "edges"> | undefined;
  private names: LogNames = this.namesNow();

  /** The names by this document; the same object as long as they are the same. */
  of(document: Pick<WorkflowDocument, "nodes" | "edges">): LogNames {
    const { seen } = this;
    if (seen?.nodes === document.nodes && seen.edges === document.edges) return this.names;
    this.seen = document;
    let changed = false;
    for (const { id, title } of Object.values(document.nodes)) {
      changed ||= this.titles.get(id) !== title;
      this.titles.set(id, title);
    }
    for (const { id, from, to } of Object.values(document.edges)) {
      const known = this.ends.get(id);
      if (known?.from === from.node && known.to === to.node) continue;
      changed = true;
      this.ends.set(id, { from: from.node, to: to.node });
    }
    if (changed) this.names = this.namesNow();
    return this.names;
  }

  private namesNow(): LogNames {
    const node = (id: string) => this.titles.get(id) ?? id;
    return {
      node,
      edge: (id) => {
        const ends = this.ends.get(id);
        return ends && { from: node(ends.from), to: node(ends.to) };
      },
    };
  }
}
