import { type ReactNode, useContext, useId } from "react";
import { progressWords } from "../../engine/tool/tool.ts";
import { toolOutcome, type ToolStep } from "../../engine/run/run-state.ts";
import { useDocumentStore, useEditor } from "../../state/editor/editor-context.tsx";
import { showNode } from "../../state/editor/show-node.ts";
import { useFilesOf } from "../../state/file/use-files.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { FileList } from "../../ui/files/file-list.tsx";
import { formatDuration } from "../../ui/text/format-duration.ts";
import { Icon, type IconName } from "../../ui/icons/icon.tsx";
import { JsonView } from "../../ui/data/json-view/json-view.tsx";
import { Spinner } from "../../ui/feedback/spinner.tsx";
import { keptState } from "../../ui/data/virtual-log/kept-state.ts";
import type { ChatPart } from "./chat-part.ts";
import type { ShownApp } from "../../engine/tool/tool-app.ts";
import { ToolAppContext } from "./tool-app.ts";
import { type Json, jsonOrText } from "../../engine/json.ts";

const useOpen = keptState(false);

type ToolState = "running" | "waiting" | "asking" | "done" | "failed" | "rejected" | "cut";

/** A tool call of a run in this tab: one line that opens to arguments and result. */
export function ToolFold(props: {
  /** Unique in its conversation. */
  id: string;
  step: ToolStep;
  live: boolean;
  app?: ShownApp | undefined;
  renderApproval?: (callId: string) => ReactNode;
}) {
  const { id, step, live, app, renderApproval } = props;
  const drawApp = useContext(ToolAppContext);
  const { start, end, approval } = step;
  const form = step.forms?.find((each) => each.end === undefined);
  const open = live ? (approval?.state === "waiting" ? "waiting" : form ? "asking" : "running") : "cut";
  const state = toolOutcome(step) ?? open;
  const waitingFor = state === "waiting" ? start.callId : state === "asking" ? form?.wait.callId : undefined;
  return (
    <Fold
      id={id}
      name={start.toolName}
      state={state}
      note={state === "running" && step.progress ? progressWords(step.progress) : undefined}
      below={waitingFor === undefined ? app && end && drawApp(app) : renderApproval?.(waitingFor)}
      time={end ? formatDuration(end.durationMs) : undefined}
    >
      <Part label="Arguments" value={approval?.input ?? step.heldInput ?? start.input} />
      {step.forms?.map(({ wait, end: answer }, index) => (
        <Part key={index} label={wait.form.message} value={answer?.input ?? formState(answer)} />
      ))}
      {end && <Result state={state} value={end.output} />}
      <GoToTool nodeId={start.toolNodeId} />
    </Fold>
  );
}

/** Shows the tool's node on the canvas; nothing when the workflow no longer has it. */
function GoToTool({ nodeId }: { nodeId: string | undefined }) {
  const { canvas } = useEditor();
  const title = useDocumentStore((state) => state.document.nodes[nodeId ?? ""]?.title);
  if (nodeId === undefined || title === undefined) return null;
  return (
    <Button
      size="sm"
      variant="ghost"
      icon="scan"
      className="max-w-60 self-start"
      onClick={() => showNode(canvas, nodeId)}
    >
      <span className="truncate">Go to {title}</span>
    </Button>
  );
}

function formState(end: NonNullable<ToolStep["forms"]>[number]["end"]): string {
  if (end === undefined) return "Waiting for an answer";
  return end.action === "decline" ? "Declined" : "Not answered";
}

/** A tool call as the memory has it: its arguments as text, its result as the model read it. */
export function PastToolFold({ id, part }: { id: string; part: Extract<ChatPart, { kind: "past-tool" }> }) {
  const state = part.ok ? "done" : part.rejected ? "rejected" : "failed";
  return (
    <Fold id={id} name={part.toolName} state={state}>
      <Part label="Arguments" value={jsonOrText(part.input)} />
      <Result state={state} value={jsonOrText(part.output)} />
    </Fold>
  );
}

function Fold(props: {
  id: string;
  name: string;
  state: ToolState;
  time?: string;
  /** What is said about it while it runs. */
  note?: string | undefined;
  /** Stands there whether the fold is open or not. */
  below?: ReactNode;
  children: ReactNode;
}) {
  const { name, state, time, note, below, children } = props;
  const [open, setOpen] = useOpen(props.id);
  const id = useId();
  return (
    <div className="min-w-0 rounded-md border bg-canvas text-sm">
      <button
        type="button"
        className="flex h-8 w-full items-center gap-2 rounded-md px-2 text-left hover:bg-hover"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        <span className="text-role-tool">
          <Icon name="wrench" size={14} />
        </span>
        <span className="min-w-0 truncate font-medium">{name}</span>
        <StateMark state={state} />
        {note !== undefined && <span className="min-w-0 truncate text-xs text-muted">{note}</span>}
        <span className="numeric ml-auto text-xs text-muted">{time}</span>
        <span className="text-faint">
          <Icon name={open ? "chevron-down" : "chevron-right"} size={14} />
        </span>
      </button>
      {open && (
        <div id={id} className="flex max-h-80 flex-col gap-2 overflow-auto border-t p-2">
          {children}
        </div>
      )}
      {below}
    </div>
  );
}

const marks: Record<Exclude<ToolState, "running">, { icon: IconName; colour: string; words: string }> = {
  waiting: { icon: "hand", colour: "text-warning", words: "waits for approval" },
  asking: { icon: "hand", colour: "text-warning", words: "asks you" },
  done: { icon: "check", colour: "text-success", words: "done" },
  failed: { icon: "circle-x", colour: "text-danger", words: "failed" },
  rejected: { icon: "hand", colour: "text-muted", words: "rejected" },
  cut: { icon: "circle-stop", colour: "text-muted", words: "not finished" },
};

function resultLabel(state: ToolState): string {
  if (state === "rejected") return "Answer to the model";
  return state === "failed" ? "Error" : "Result";
}

function StateMark({ state }: { state: ToolState }) {
  if (state === "running") return <Spinner size={14} label="running" now />;
  const mark = marks[state];
  return (
    <span className={`flex min-w-0 items-center gap-1 text-xs ${mark.colour}`}>
      <Icon name={mark.icon} size={14} label={state === "done" ? mark.words : undefined} />
      {state !== "done" && mark.words}
    </span>
  );
}

/** What a call gave, and the files that it holds. */
function Result({ state, value }: { state: ToolState; value: Json | undefined }) {
  return (
    <>
      <Part label={resultLabel(state)} value={value} />
      <FileList label="Files of the result" {...useFilesOf(value)} />
    </>
  );
}

function Part({ label, value }: { label: string; value: unknown }) {
  return (
    <div>
      <p className="text-xs font-medium text-muted">{label}</p>
      <JsonView label={label} value={value} />
    </div>
  );
}
