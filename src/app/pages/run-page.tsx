import { useQuery, useQueryClient } from "@tanstack/react-query";
import { startTransition, useCallback, useDeferredValue, useEffect, useMemo, useState } from "react";
import { useLocation, useSearchParams } from "wouter";
import { ApprovalList } from "../../features/approval/approval-list.tsx";
import { Canvas } from "../../features/canvas/canvas.tsx";
import { RunChat } from "../../features/chat/run-chat.tsx";
import { ToolAppContext } from "../../features/chat/tool-app.ts";
import { renderToolApp } from "./tool-app-slot.tsx";
import { CallStability } from "../../features/decisions/call-stability.tsx";
import { ForkButton } from "../../features/replay/fork-button.tsx";
import { ReplayBar } from "../../features/replay/replay-bar.tsx";
import { ClosedDrawer } from "../../features/results/closed-drawer.tsx";
import { ResultsDrawer } from "../../features/results/results-drawer.tsx";
import { RunNotices } from "../../features/run/run-notices.tsx";
import { useExecution } from "../../features/run/use-execution.ts";
import { ServerRunBar } from "../../features/server-runs/server-run-bar.tsx";
import { type FollowedRun, useServerRun } from "../../features/server-runs/use-server-run.ts";
import { SaveStepButton } from "../../features/tests/save-step-button.tsx";
import { nodeRegistry } from "../../nodes/index.ts";
import { singleSelectedNode } from "../../state/editor/canvas-store.ts";
import { createKeptChecks } from "../../state/evaluation/kept-checks.ts";
import {
  type Editor,
  EditorProvider,
  useEditor,
  useRunStore,
  useServices,
} from "../../state/editor/editor-context.tsx";
import { dockAtRight } from "../../state/editor/dock.ts";
import { nextFrame } from "../../state/run/next-frame.ts";
import { panelStore, usePanelStore } from "../../state/editor/panel-store.ts";
import type { RunControl } from "../../state/run/run-control.ts";
import { type CallStep, type NodeStep, StepActionsProvider } from "../../state/run/step-actions.tsx";
import { Spinner } from "../../ui/feedback/spinner.tsx";
import { classNames } from "../../ui/theme/class-names.ts";
import { checkTable } from "../check-table.ts";
import { useMedia } from "../use-media.ts";
import { usePageTitle } from "../page-title.ts";
import { useFreshAfterRuns } from "../use-fresh-after-runs.ts";
import { useAcceptedPrices } from "../use-accepted-prices.ts";
import { useInterruptedRuns } from "../use-interrupted-runs.ts";
import { NoStoredRun } from "./no-stored-run.tsx";
import { loadRun, newSession, openRun, runPath, type StoredRun } from "./open-run.ts";
import { ForkBar, RunTopBar } from "./run-top-bar.tsx";

/** Writes checks of decisions down in this browser, and reads them again. */
const browserChecks = createKeptChecks(checkTable);

const tabs = ["run", "chat"] as const;

/** A click on a card shows what the node did. */
function useStepsFollowSelection(): void {
  const { canvas } = useEditor();
  useEffect(
    () =>
      canvas.subscribe((state, before) => {
        const nodeId = singleSelectedNode(state);
        if (nodeId === null || nodeId === singleSelectedNode(before)) return;
        panelStore.getState().chooseStep(`node ${nodeId}`);
        panelStore.getState().show("steps");
      }),
    [canvas],
  );
}

/**
 * The page's address may name a call that is to be shown at once. The panel is opened while the run is still on its way:
 * opened once the page stands, it would be drawn in one piece.
 */
function useCallOfAddress(): void {
  const [search] = useSearchParams();
  const call = search.get("call");
  useEffect(() => {
    panelStore.getState().chooseStep(call);
    panelStore.getState().show("steps");
  }, [call]);
}

function Replay({ stored, control }: { stored: StoredRun; control: RunControl }) {
  const { runs } = useEditor();
  const runId = stored.summary.id;
  const current = useRunStore((state) => state.currentRunId);
  const [whole] = useState(() => runs.getState().runs[runId]);
  if (current !== runId) return <ForkBar from={runId} control={control} />;
  return whole === undefined ? null : <ReplayBar runId={runId} whole={whole} />;
}

/** False for the first drawing, true from the next frame on: what is large is then drawn, and measured, in a task of its own. */
function useNextTurn(): boolean {
  const [come, setCome] = useState(false);
  useEffect(() => {
    let gone = false;
    nextFrame(() => gone || startTransition(() => setCome(true)));
    return () => void (gone = true);
  }, []);
  return come;
}

/** The run as it is stored now: one that a worker has ended while its page was open has all its events here. */
function useStoredNow(opened: StoredRun, { following, summary }: FollowedRun): StoredRun {
  const { runs } = useEditor();
  return useMemo(() => {
    if (following || summary === opened.summary) return opened;
    return { ...opened, summary, events: runs.events(summary.id) };
  }, [opened, following, summary, runs]);
}

function OpenRun({ stored: opened }: { stored: StoredRun }) {
  const editor = useEditor();
  const control = useExecution(runPath(opened.summary.id));
  const server = useServerRun(opened.summary);
  const stored = useStoredNow(opened, server);
  const [, navigate] = useLocation();
  useInterruptedRuns();
  useAcceptedPrices();
  useFreshAfterRuns();
  const atRight = useMedia(dockAtRight);
  usePageTitle(`Run of ${stored.document.name}`);
  useStepsFollowSelection();
  useEffect(() => editor.problems.start(), [editor]);
  useEffect(() => void browserChecks.load(stored.summary.id), [stored]);
  const { following } = server;
  const stepActions = useCallback(
    (step: CallStep | NodeStep) =>
      following ? null : (
        <>
          {step.kind === "model" && <CallStability runId={stored.summary.id} callId={step.id} />}
          <div className="mt-2 flex flex-wrap gap-2 empty:hidden">
            {step.kind !== "node" && <ForkButton step={step} control={control} />}
            <SaveStepButton step={step} run={stored} onOpenSuite={(id) => navigate(`/tests/${id}`)} />
          </div>
        </>
      ),
    [control, following, navigate, stored],
  );
  const canvasTurn = useNextTurn();
  const open = usePanelStore((state) => state.open);
  const dock = atRight ? "right" : "bottom";
  const panel = open ? (
    <ResultsDrawer
      dock={dock}
      tabs={tabs}
      chat={
        <ToolAppContext value={renderToolApp}>
          <RunChat />
        </ToolAppContext>
      }
      history={null}
      memory={null}
      notices={<RunNotices execution={control} />}
      approvals={<ApprovalList />}
    />
  ) : (
    <ClosedDrawer dock={dock} tabs={tabs} />
  );
  return (
    <StepActionsProvider render={stepActions}>
      <main className="flex h-full flex-col">
        <RunTopBar stored={stored} control={control} />
        <ServerRunBar run={server} onOpen={(id) => navigate(`/runs/${id}`)} />
        {!following && <Replay stored={stored} control={control} />}
        <div className={classNames("flex min-h-0 flex-1", !atRight && "flex-col")}>
          <div className="relative min-h-0 min-w-0 flex-1 sm:min-h-[50vh] sm:min-w-[50vw]">
            {canvasTurn && <Canvas />}
          </div>
          {panel}
        </div>
      </main>
    </StepActionsProvider>
  );
}

interface Opened {
  stored: StoredRun;
  editor: Editor;
  /** How often the run was opened anew. */
  round: number;
}

/** Whether a run of this tab was opened before all of it was stored, and has not been run on from since. */
function isRestOf({ stored, editor }: Opened, data: StoredRun): boolean {
  return stored !== data && editor.runs.getState().started.length === 0;
}

/** A stored run on the workflow as it was: gone through step by step, and run on from any call. */
export function RunPage({ runId }: { runId: string }) {
  useCallOfAddress();
  const services = useServices();
  const queries = useQueryClient();
  const {
    data: loaded,
    error,
    refetch,
  } = useQuery({
    queryKey: ["run", runId],
    queryFn: () => loadRun(services, runId),
    staleTime: Infinity,
    gcTime: 0,
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
  });
  useEffect(() => () => void queries.invalidateQueries({ queryKey: ["runs"] }), [queries]);
  // Canvas and panels of a long run are much to draw: drawn as deferred work, they leave the page its turns meanwhile.
  const data = useDeferredValue(loaded);
  const [opened, setOpened] = useState<Opened | null>(null);
  if (data !== undefined && opened === null) {
    setOpened({ stored: data, editor: openRun(data, nodeRegistry, services), round: 0 });
  } else if (data !== undefined && opened !== null && isRestOf(opened, data)) {
    const editor = openRun(data, nodeRegistry, services, newSession(data));
    setOpened({ stored: data, editor, round: opened.round + 1 });
  }
  if (opened !== null) {
    return (
      <EditorProvider key={opened.round} editor={opened.editor}>
        <OpenRun stored={opened.stored} />
      </EditorProvider>
    );
  }
  if (error !== null) {
    return <NoStoredRun error={error} onRetry={() => void refetch()} />;
  }
  return (
    <div className="flex h-full items-center justify-center">
      <Spinner label="Opening the run" />
    </div>
  );
}
