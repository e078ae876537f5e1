import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import type { Host } from "../../engine/host.ts";
import type { Json } from "../../engine/json.ts";
import { forkPointOf } from "../../engine/run/replay/fork-point.ts";
import { runWorkflow } from "../../engine/run/run-workflow.ts";
import type { Editor } from "../../state/editor/editor-context.tsx";
import { forgetOwnRun, rememberOwnRun } from "../../state/run/own-runs.ts";
import { listUntilStored } from "../../state/run/unstored-runs.ts";
import type { RunStart } from "../../state/run/run-control.ts";
import { holdRunLock } from "../../state/run/run-lock.ts";
import { type RecorderOptions, recordRun } from "../../state/run/run-recorder.ts";
import type { RunSession } from "../../state/run/run-sessions.ts";
import type { Services } from "../../services/services.ts";
import { expectNodes } from "./expect-nodes.ts";
import { failedRunEnd } from "./failed-run-end.ts";
import { watchForAnswer } from "./watch-for-answer.ts";

/** What a run needs of the tab; it outlives the page that started it. */
export type ExecutionSession = RunSession & Pick<Editor, "workflowId" | "registry">;

/** The outside of a run: a host for it, and where it is stored. */
export type ExecutionServices = Pick<Services, "createHost"> &
  Partial<Pick<Services, "prices">> & { runs: RecorderOptions["repository"] };

/** A run that has begun in the run store. */
interface BegunRun {
  session: ExecutionSession;
  services: Pick<ExecutionServices, "runs" | "prices">;
  host: Host;
  runId: string;
  input: Json;
  document: WorkflowDocument;
  extent: Omit<RunStart, "document" | "startsAfter">;
  signal: AbortSignal;
  /** Resolves once the run store has the run. */
  shown: Promise<void>;
  /** Called once the answer is complete and only to be written down. */
  onAnswered(): void;
}

/**
 * Runs the engine, which begins at once; each event goes to the run store, when that has the run, and to the database. Never
 * rejects: a failure is the run's end.
 */
export async function executeRun({
  session,
  services,
  host,
  runId,
  input,
  document,
  extent,
  signal,
  shown,
  onAnswered,
}: BegunRun): Promise<void> {
  const { registry } = session;
  const runs = session.runs.getState();
  // What was accepted since the page was opened; the answer is not waited for.
  services.prices?.take().catch(() => undefined);
  const release = holdRunLock(runId);
  rememberOwnRun(runId);
  const recorder = recordRun(
    { id: runId, workflowId: session.workflowId, input, document, startedAt: host.now(), ...forkOf(extent) },
    { repository: services.runs, registry, onState: (state) => runs.setSaving(runId, state) },
  );
  listUntilStored(runId, recorder.done);
  void recorder.done.then(() => {
    forgetOwnRun(runId);
    release();
  });
  try {
    const { breakpoints } = session.breakpoints;
    const events = runWorkflow(document, { ...extent, registry, host, input, signal, runId, breakpoints });
    await shown;
    expectNodes(session.runs, runId, { document, registry, extent: { ...extent, input } });
    const completesAnswer = watchForAnswer(document);
    for await (const event of events) {
      runs.apply([event]);
      recorder.push(event);
      if (completesAnswer(event)) onAnswered();
    }
  } catch (error) {
    const event = failedRunEnd(runId, session.runs.events(runId), error, host.now());
    runs.apply([event]);
    recorder.push(event);
  }
  // To draw the end takes longer than to send the last events.
  await new Promise((resolve) => setTimeout(resolve));
  runs.flush();
}

function forkOf({ replay }: RunStart) {
  return replay ? { forkedFrom: forkPointOf(replay) } : {};
}
