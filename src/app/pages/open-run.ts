import type { NodeRegistry } from "../../engine/document/define-node.ts";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import type { RunEvent } from "../../engine/run/events.ts";
import type { RunState } from "../../engine/run/run-state.ts";
import { createApprovalStore } from "../../state/run/approval-store.ts";
import { createAutosave } from "../../state/document/autosave.ts";
import { createBreakpointStore } from "../../state/run/breakpoint-store.ts";
import { createCanvasStore } from "../../state/editor/canvas-store.ts";
import { viewCommands } from "../../state/commands/view.ts";
import { createFrozenStore } from "../../state/document/document-store.ts";
import type { Editor } from "../../state/editor/editor-context.tsx";
import { browserDrafts } from "../browser-drafts.ts";
import { newId } from "../../state/shared/new-id.ts";
import { createPauseStore } from "../../state/run/pause-store.ts";
import { createProblemStore } from "../../state/document/problem-store.ts";
import { reduceStoredRun } from "../../state/run/reduce-stored-run.ts";
import { keptSession, type RunSession } from "../../state/run/run-sessions.ts";
import { createRunStore } from "../../state/run/run-store.ts";
import type { RunSummary, Services } from "../../services/services.ts";
import { showToast } from "../../ui/feedback/toast.tsx";
import { pageCommandContext } from "./command-context.ts";

/** What is stored of a run. */
export interface StoredRun {
  summary: RunSummary;
  events: readonly RunEvent[];
  /** What the events lead to. */
  state: RunState;
  /** The workflow as it was. */
  document: WorkflowDocument;
}

export async function loadRun(services: Pick<Services, "runs">, runId: string): Promise<StoredRun> {
  const [summary, events, document] = await Promise.all([
    services.runs.get(runId),
    services.runs.events(runId),
    services.runs.document(runId),
  ]);
  return { summary, events, state: await reduceStoredRun(summary, events), document };
}

/** The address of a stored run's page. */
export const runPath = (runId: string) => `/runs/${runId}`;

/** A stored run with nothing that goes on. */
export function newSession({ summary, state, events }: StoredRun): RunSession {
  const runs = createRunStore();
  runs.getState().open(state, events);
  return {
    runs,
    // Breakpoints are for runs of the workflow as it is now.
    breakpoints: createBreakpointStore(`run ${summary.id}`, () => window.sessionStorage),
    pauses: createPauseStore(),
    approvals: createApprovalStore(),
  };
}

/** Commands that look; those that open lists to add something are left out. */
const looking = new Set(["zoom-fit", "zoom-one", "zoom-in", "zoom-out"]);

/** Everything that the panels of one stored run share: the workflow as it was, which cannot be changed, and the run on it. */
export function openRun(
  stored: StoredRun,
  registry: NodeRegistry,
  services: Services,
  // A fork that went on while another page was open comes back as it is.
  session = keptSession(runPath(stored.summary.id)) ?? newSession(stored),
): Editor {
  const { summary } = stored;
  const refuse = () =>
    showToast("This is the workflow as it was at this run.", {
      id: "read-only",
      hint: "Open the workflow to change it.",
    });
  const document = createFrozenStore(stored.document, refuse);
  const canvas = createCanvasStore();
  const context = pageCommandContext({ document, canvas, registry });
  return {
    workflowId: summary.workflowId,
    readOnly: true,
    registry,
    document,
    canvas,
    ...session,
    problems: createProblemStore(document, registry),
    // Never started: there is nothing to save.
    autosave: createAutosave({
      store: document,
      workflows: services.workflows,
      drafts: browserDrafts,
      writer: newId(),
      newId,
      registry,
    }),
    context,
    commands: viewCommands.filter(({ id }) => looking.has(id)),
  };
}
