import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useLocation } from "wouter";
import { useStore } from "zustand";
import { ApprovalList, InlineApproval } from "../../features/approval/approval-list.tsx";
import { MentionedNodes, useMentionedNodes } from "../../features/assistant/mentioned-nodes.tsx";
import { ProposalReview } from "../../features/assistant/proposal-review.tsx";
import { type StudioCall, ToolLine } from "../../features/assistant/tool-line.tsx";
import { ChatPanel } from "../../features/chat/chat-panel.tsx";
import { ToolLineContext, type ToolPart } from "../../features/chat/tool-line.ts";
import { useModelOffer } from "../../features/credentials/model-offer.tsx";
import { useAutosave } from "../../features/editor/use-autosave.ts";
import { MeasureButton } from "../../features/tests/measure-button.tsx";
import { RunNotices } from "../../features/run/run-notices.tsx";
import { useExecution } from "../../features/run/use-execution.ts";
import { holdsRuns } from "../../state/assistant/holds-runs.ts";
import type { RunEvent } from "../../engine/run/events.ts";
import { toolOutcome } from "../../engine/run/run-state.ts";
import { isJsonObject, type Json, jsonOrText } from "../../engine/json.ts";
import { nodeRegistry } from "../../nodes/index.ts";
import { assistantStore, useAssistant } from "../../state/assistant/assistant-store.ts";
import type { Desk } from "../../state/assistant/desk.ts";
import { deskTools } from "../../state/assistant/desk-tools.ts";
import { toolLabels } from "../../state/assistant/tool-labels.ts";
import { readSuite } from "../../state/assistant/read-suite.ts";
import { keepChatSession, newSessionId, readChatSession } from "../../state/conversation/chat-session.ts";
import {
  EditorProvider,
  useCanvasStore,
  useEditor,
  useRunStore,
  useServices,
} from "../../state/editor/editor-context.tsx";
import { panelStore } from "../../state/editor/panel-store.ts";
import type { DocumentStore } from "../../state/document/document-store.ts";
import type { RunControl } from "../../state/run/run-control.ts";
import type { StoredWorkflow } from "../../services/services.ts";
import { ServicesProvider } from "../../services/services-context.tsx";
import { formatCost } from "../../ui/text/format-amount.ts";
import { showToast } from "../../ui/feedback/toast.tsx";
import { FailedRunCase } from "./failed-run-case.tsx";
import { editorPath, openEditor } from "./open-editor.ts";
import { runPath } from "./open-run.ts";
import { useProof } from "./use-proof.ts";
import RealModelDialog from "../../features/credentials/real-model-dialog.tsx";

// Not from the editor's parts, of which this is one.

const renderApproval = (callId: string) => <InlineApproval callId={callId} />;

interface AssistantChatProps {
  /** The assistant's own workflow. */
  stored: StoredWorkflow;
  desk: Desk;
}

/** Talks with the assistant's workflow, whose tools work on the desk; what it found and proposes is part of the conversation. */
export function AssistantChat({ stored, desk }: AssistantChatProps) {
  const services = useServices();
  const outer = useEditor();
  const [, navigate] = useLocation();
  const [inner] = useState(() => {
    const { editor } = openEditor(stored, nodeRegistry, services, () => []);
    // Its nodes are on no canvas here: the way to one is the way to its workflow.
    const leave = () => navigate(editorPath(stored.id));
    const none = () => {};
    editor.canvas.setState({
      controls: {
        fit: none,
        zoomIn: none,
        zoomOut: none,
        zoomToOne: none,
        reveal: leave,
        focus: none,
        view: () => ({ x: 0, y: 0, width: 0, height: 0 }),
        roomBesideSettings: () => ({ x: 0, y: 0, width: 0, height: 0 }),
        center: () => ({ x: 0, y: 0 }),
        toDocument: (point) => point,
      },
    });
    return editor;
  });
  const withDesk = useMemo(
    () => ({
      ...services,
      createHost: (options: Parameters<typeof services.createHost>[0]) => ({
        ...services.createHost(options),
        studio: () => ({ tools: deskTools(desk) }),
      }),
    }),
    [services, desk],
  );
  const running = useAssistant((state) => state.running);
  const showStep = useCallback(
    async (runId: string, seq: number) => {
      const stepId = stepIdOf((await desk.readRun(runId)).events, seq);
      if (outer.runs.getState().currentRunId !== runId) {
        navigate(stepId === null ? runPath(runId) : `${runPath(runId)}?call=${encodeURIComponent(stepId)}`);
        return;
      }
      panelStore.getState().chooseStep(stepId);
      panelStore.getState().show("steps");
    },
    [desk, outer, navigate],
  );
  const drawTool = useCallback(
    (part: ToolPart) => {
      const call = studioCallOf(part);
      return call && <ToolLine call={call} onStep={(runId, step) => void showStep(runId, step)} />;
    },
    [showStep],
  );
  const named = useMentionedNodes(inner.runs);
  const hasProposal = useAssistant((state) => state.proposal !== null);
  const last = (named.length > 0 || hasProposal) && (
    <ServicesProvider services={services}>
      <EditorProvider editor={outer}>
        <MentionedNodes nodes={named} />
        <ProposalReview
          onOpenRun={(runId) => navigate(runPath(runId))}
          saveCase={<FailedRunCase desk={desk} />}
          measure={<MeasureButton disabled={running} />}
        />
      </EditorProvider>
    </ServicesProvider>
  );
  useProof({ desk, running, workflowId: outer.workflowId, registry: outer.registry });
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <ToolLineContext value={drawTool}>
        <ServicesProvider services={withDesk}>
          <EditorProvider editor={inner}>
            <Conversation
              desk={desk}
              place={`${stored.id}:${outer.workflowId}`}
              outer={outer.document}
              home={`${editorPath(outer.workflowId)}#assistant`}
              last={last}
            />
          </EditorProvider>
        </ServicesProvider>
      </ToolLineContext>
    </div>
  );
}

/** A call of one of the assistant's own tools; undefined for any other, and for one that waits for a person. */
function studioCallOf(part: ToolPart): StudioCall | undefined {
  if (part.kind === "past-tool") {
    const { toolName, input, output, ok } = part;
    if (toolLabels[toolName] === undefined) return undefined;
    return { toolName, state: ok ? "done" : "failed", input: jsonOrText(input), output: jsonOrText(output) };
  }
  const { step, live } = part;
  const { toolName, input } = step.start;
  if (toolLabels[toolName] === undefined || step.approval?.state === "waiting") return undefined;
  const state = toolOutcome(step) ?? (live ? "running" : "cut");
  return { toolName, state: state === "rejected" ? "failed" : state, input, output: step.end?.output ?? null };
}

/** What a request says, and in which conversation. */
function requestOf(input: Json): { message: string; sessionId: string } {
  const { message, sessionId } = isJsonObject(input) ? input : {};
  return {
    message: typeof message === "string" ? message : "",
    sessionId: typeof sessionId === "string" ? sessionId : "",
  };
}

/** Tells the desk of each request before it is made; another conversation is a fresh start. */
function useDeskControl(control: RunControl, desk: Desk, workflowId: string): RunControl {
  const services = useServices();
  const last = useRef<string>(undefined);
  return useMemo(
    () => ({
      ...control,
      start: (input, options) => {
        const { message, sessionId } = requestOf(input);
        if (last.current !== sessionId) {
          const { request, improving, sessionId: proposedIn } = assistantStore.getState();
          // After a reload the conversation goes on with what it had proposed.
          const goesOn = proposedIn === sessionId;
          if (!goesOn) desk.forget();
          const suiteId = goesOn ? improving : (request?.improve ?? null);
          desk.improve(suiteId === null ? null : () => readSuite(services, suiteId));
          const heldRuns = services.memory.messages(workflowId, sessionId).then(holdsRuns);
          const readCases = goesOn && suiteId !== null ? desk.readFailingCases() : undefined;
          desk.continueAfter(Promise.all([heldRuns, readCases]).then(([held]) => held));
          assistantStore.setState({ improving: suiteId, sessionId });
          last.current = sessionId;
        }
        desk.beginRequest(message, assistantStore.getState().request?.runId ?? null);
        return control.start(input, options);
      },
    }),
    [control, desk, services, workflowId],
  );
}

interface ConversationProps {
  desk: Desk;
  /** Where this browser keeps which conversation is open: each workflow has its own. */
  place: string;
  /** The open workflow, whose model may be the assistant's too. */
  outer: DocumentStore;
  /** What follows the last message. */
  last: ReactNode;
  /** Where the person finds a request that goes on. */
  home: string;
}

function Conversation({ desk, place, outer, last, home }: ConversationProps) {
  const { workflowId, problems, canvas } = useEditor();
  useAutosave();
  useEffect(() => problems.start(), [problems]);
  const execution = useExecution(home);
  const control = useDeskControl(execution, desk, workflowId);
  const { running } = execution;
  const offer = useModelOffer(useStore(outer, (state) => state.document));
  useEffect(() => assistantStore.setState({ running }), [running]);
  const [session, setSession] = useState(() => sessionFor(place));
  const realModelOpen = useCanvasStore((state) => state.realModelOpen);

  const { start } = control;
  useEffect(() => {
    const take = () => {
      const { request } = assistantStore.getState();
      // While a request goes on the next one waits.
      if (request === null || running) return;
      const sessionId = sessionFor(place);
      setSession(sessionId);
      const runId = start({ message: request.text, sessionId });
      assistantStore.setState({ request: null });
      if (runId === null)
        showToast(
          "The assistant could not be asked.",
          { hint: `Its panel says why. You asked: ${request.text}` },
          "error",
        );
    };
    const waiting = requestAnimationFrame(take);
    const stop = assistantStore.subscribe((state, before) => {
      if (state.request !== before.request) take();
    });
    return () => {
      cancelAnimationFrame(waiting);
      stop();
    };
  }, [start, running, place]);

  return (
    <>
      <RunNotices execution={control} />
      <div className="min-h-0 flex-1">
        <ChatPanel
          key={session}
          aside
          place={place}
          offer={offer}
          last={last}
          control={control}
          renderApproval={renderApproval}
          notice={
            <>
              <ApprovalList nestedOnly />
              <Spent />
            </>
          }
        />
      </div>
      {realModelOpen && <RealModelDialog onClose={() => canvas.setState({ realModelOpen: false })} />}
    </>
  );
}

/** The conversation to go on with: a new one where the request asks for that. */
function sessionFor(place: string): string {
  const { request } = assistantStore.getState();
  return request !== null ? keepChatSession(place, newSessionId()) : readChatSession(place);
}

/** What the requests of this tab have cost; nothing as long as they were free. */
function Spent() {
  const spent = useRunStore(({ started, runs }) => started.reduce((sum, id) => sum + (runs[id]?.costUsd ?? 0), 0));
  if (spent === 0) return null;
  return <p className="border-t px-3 py-1 text-xs text-muted">Spent in this tab: {formatCost(spent)}</p>;
}

/** The step of the run panel that an event belongs to: its call, its note, or its node. */
function stepIdOf(events: readonly RunEvent[], seq: number): string | null {
  const event = events.find((each) => each.seq === seq);
  if (event === undefined) return null;
  if (event.type === "model-response" || event.type === "tool-call-end") return event.callId;
  const ofNode = ["node-start", "node-end", "node-error", "node-skip"].includes(event.type);
  if (ofNode && "nodeId" in event) return `node ${event.nodeId}`;
  return `note-${event.seq}`;
}
