import type { CallerTerms } from "../../engine/trust/caller-terms.ts";
import type { CommandContext } from "./command.ts";

/** Sets what callers of a published version may fill in at the tools of these nodes, as one undo step; undefined: nothing. */
export function setCallerTerms(
  { document }: Pick<CommandContext, "document">,
  termsByNode: ReadonlyMap<string, CallerTerms | undefined>,
): void {
  document.getState().edit("Change what callers may fill in", (draft) => {
    for (const [id, terms] of termsByNode) {
      const node = draft.nodes[id];
      if (node === undefined) continue;
      if (terms) node.callers = terms;
      else delete node.callers;
    }
  });
}
