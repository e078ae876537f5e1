import type { NodeRegistry } from "../../engine/document/define-node.ts";
import { createApprovalStore } from "../../state/run/approval-store.ts";
import { createAutosave } from "../../state/document/autosave.ts";
import { createBreakpointStore } from "../../state/run/breakpoint-store.ts";
import { createCanvasStore } from "../../state/editor/canvas-store.ts";
import type { Command } from "../../state/commands/command.ts";
import { editorCommands } from "../../state/commands/editor-commands.ts";
import type { Editor } from "../../state/editor/editor-context.tsx";
import { browserDrafts as drafts } from "../browser-drafts.ts";
import { newId } from "../../state/shared/new-id.ts";
import { endSaving } from "../../state/document/left-autosaves.ts";
import { type DraftOutcome, openDocument } from "../../state/document/open-document.ts";
import { createPauseStore } from "../../state/run/pause-store.ts";
import { pruneSelection } from "../../state/editor/prune-selection.ts";
import { createProblemStore } from "../../state/document/problem-store.ts";
import { keptSession, type RunSession } from "../../state/run/run-sessions.ts";
import { createRunStore } from "../../state/run/run-store.ts";
import type { Services, StoredWorkflow } from "../../services/services.ts";
import { pageCommandContext } from "./command-context.ts";

/** Names this tab in the drafts that it writes. */
const writer = newId();

/** The address of a workflow's editor. */
export const editorPath = (workflowId: string) => `/w/${workflowId}`;

export interface OpenedEditor {
  editor: Editor;
  outcome: DraftOutcome;
  /** Puts work back that an earlier visit could not save; called once saving has started. */
  restore(): void;
}

/** Makes everything that the panels of one open workflow share. */
export function openEditor(
  stored: StoredWorkflow,
  registry: NodeRegistry,
  services: Services,
  pageCommands: (stores: Pick<Editor, "runs" | "breakpoints" | "pauses">) => readonly Command[],
): OpenedEditor {
  endSaving(stored.id);
  const draft = drafts.read(stored.id);
  const { store: document, outcome, restore } = openDocument(stored, draft);
  // It has been saved; later it would look like other work than what is stored then.
  if (draft !== null && outcome === "none") drafts.remove(stored.id, draft.writer);
  const canvas = createCanvasStore();
  pruneSelection(document, canvas);
  const context = pageCommandContext({ document, canvas, registry });
  // Runs that went on while another page was open come back with what they wait for.
  const session: RunSession = keptSession(editorPath(stored.id)) ?? {
    runs: createRunStore(),
    breakpoints: createBreakpointStore(stored.id, () => window.localStorage),
    pauses: createPauseStore(),
    approvals: createApprovalStore(),
  };
  const editor: Editor = {
    workflowId: stored.id,
    registry,
    document,
    canvas,
    ...session,
    problems: createProblemStore(document, registry),
    autosave: createAutosave({
      store: document,
      workflows: services.workflows,
      drafts,
      writer,
      newId,
      registry,
      onJoined: () =>
        context.notify({ tone: "info", message: "Changes made elsewhere were added.", hint: "Undo takes them back." }),
    }),
    context,
    commands: [...pageCommands(session), ...editorCommands],
  };
  return { editor, outcome, restore };
}
