import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import type { CommandContext } from "../commands/command.ts";
import { replaceDocument } from "../editing/replace-document.ts";
import { applyChanges, type Change, withDependent, withNeeded } from "./changes.ts";
import { newErrors } from "./check-draft.ts";
import type { Desk, Proposal } from "./desk.ts";

/** Takes changes over into the workflow, with all that they need, as one undo step. What is left stays open. */
export function acceptChanges(context: CommandContext, desk: Desk, proposal: Proposal, ids: ReadonlySet<string>): void {
  const { registry, notify } = context;
  const store = context.document.getState();
  const chosen = withNeeded(proposal.changes, ids);
  const applied = applyChanges(store.document, pick(proposal.changes, chosen), registry);
  if (!applied.ok) {
    notify({
      tone: "error",
      message: "The workflow has changed in the meantime, so this no longer fits.",
      hint: "Reject it, or ask the assistant again.",
    });
    return;
  }
  const [problem] = newErrors(store.document, applied.document, registry);
  if (problem !== undefined) {
    const isAll = chosen.size === proposal.changes.length;
    notify({
      tone: "error",
      message: isAll ? "The workflow would not work with these changes." : "This change does not work without others.",
      hint: `${problem.message} ${problem.hint}`,
    });
    return;
  }
  store.edit("Accept the assistant's changes", (document) => replaceDocument(document, applied.document));
  keepOpen(desk, applied.document, pick(proposal.changes, chosen, false), registry);
}

/** Drops changes, with all that cannot stay without them. */
export function rejectChanges(context: CommandContext, desk: Desk, proposal: Proposal, ids: ReadonlySet<string>): void {
  const gone = withDependent(proposal.changes, ids);
  const { document } = context.document.getState();
  keepOpen(desk, document, pick(proposal.changes, gone, false), context.registry);
}

function pick(changes: readonly Change[], ids: ReadonlySet<string>, inside = true): Change[] {
  return changes.filter(({ id }) => ids.has(id) === inside);
}

function keepOpen(
  desk: Desk,
  document: WorkflowDocument,
  rest: readonly Change[],
  registry: CommandContext["registry"],
): void {
  const draft = applyChanges(document, rest, registry);
  desk.settle(draft.ok ? draft.document : null);
}
