import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import type { Json } from "../../engine/json.ts";
import { forkPointOf } from "../../engine/run/replay/fork-point.ts";
import { runWorkflow } from "../../engine/run/run-workflow.ts";
import type { Editor } from "../../stores/editor-context.tsx";
import { nextFrame } from "../../stores/next-frame.ts";
import { forgetOwnRun, rememberOwnRun } from "../../stores/own-runs.ts";
import { countUntilStored } from "../../stores/unstored-runs.ts";
import type { RunStart } from "../../stores/run-control.ts";
import { holdRunLock } from "../../stores/run-lock.ts";
import { type RecorderOptions, recordRun } from "../../stores/run-recorder.ts";
import type { RunSession } from "../../stores/run-sessions.ts";
import { loadRunReducer } from "../../stores/run-store.ts";
import type { Services } from "../../stores/services.ts";
import { expectNodes } from "./expect-nodes.ts";
import { failedRunEnd } from "./failed-run-end.ts";

/** What a run needs of the tab; it outlives the page that started it. */
export type ExecutionSession = RunSession & Pick<Editor, "workflowId" | "registry">;

/** The outside of a run: a host for it, and where it is stored. */
export type ExecutionServices = Pick<Services, "createHost"> & { runs: RecorderOptions["repository"] };

/** A run that has begun in the run store. */
interface BegunRun {
  session: ExecutionSession;
  services: ExecutionServices;
  runId: string;
  input: Json;
  document: WorkflowDocument;
  extent: Omit<RunStart, "document">;
  signal: AbortSignal;
}

/** Runs the engine; each event goes to the run store and to the database. Never rejects: a failure is the run's end. */
export async function executeRun({
  session,
  services,
  runId,
  input,
  document,
  extent,
  signal,
}: BegunRun): Promise<void> {
  const { registry } = session;
  const runs = session.runs.getState();
  const approve = session.approvals.approverFor(runId);
  const host = services.createHost({ workflowId: session.workflowId, approve, pause: session.pauses.pauserFor(runId) });
  const release = holdRunLock(runId);
  rememberOwnRun(runId);
  const recorder = recordRun(
    { id: runId, workflowId: session.workflowId, input, document, startedAt: host.now(), ...forkOf(extent) },
    { repository: services.runs, registry, onState: (state) => runs.setSaving(runId, state) },
  );
  countUntilStored(recorder.done);
  void recorder.done.then(() => {
    forgetOwnRun(runId);
    release();
  });
  try {
    await loadRunReducer();
    expectNodes(session.runs, runId, { document, registry, extent: { ...extent, input } });
    // What the start of a run does to the page is drawn before the engine's first piece of work.
    await new Promise<void>((resolve) => nextFrame(resolve));
    const { breakpoints } = session.breakpoints;
    const run = { ...extent, registry, host, input, signal, runId, breakpoints };
    for await (const event of runWorkflow(document, run)) {
      runs.apply([event]);
      recorder.push(event);
    }
  } catch (error) {
    const event = failedRunEnd(runId, session.runs.events(runId), error, host.now());
    runs.apply([event]);
    recorder.push(event);
  }
  runs.flush();
}

function forkOf({ replay }: RunStart) {
  return replay ? { forkedFrom: forkPointOf(replay) } : {};
}
