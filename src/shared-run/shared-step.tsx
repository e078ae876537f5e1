import type { ReactNode } from "react";
import type { Json } from "../engine/json.ts";
import { messageText } from "../engine/model/message.ts";
import type { RunState, RunStep } from "../engine/run/run-state.ts";
import type { SharedParts } from "../engine/run/share/shared-run.ts";
import { loopTitle } from "../features/results/loop-title.ts";
import { MessageView } from "../features/results/message-view.tsx";
import { StateMark } from "../features/results/state-mark.tsx";
import { stepDuration } from "../features/results/step-facts.ts";
import { nodeState, stepLook } from "../features/results/step-look.ts";
import type { StepRow } from "../features/results/step-rows.ts";
import { useDocumentStore, useEditor } from "../state/editor/editor-context.tsx";
import { LongText } from "../ui/data/long-text.tsx";
import { Icon } from "../ui/icons/icon.tsx";
import { formatTokens } from "../ui/text/format-amount.ts";
import { formatDuration } from "../ui/text/format-duration.ts";
import { totalTokens } from "../engine/model/usage.ts";

const line = "flex min-h-8 items-center gap-2 py-1 pr-3 text-sm";

/** One line of the log; what is shared of a step opens below it. */
export function SharedStep({ row, run, parts }: { row: StepRow; run: RunState; parts: SharedParts }) {
  const style = { paddingLeft: 12 + row.depth * 12 };
  if (row.kind === "run") return null;
  if (row.kind === "round" || row.kind === "iteration") {
    return (
      <li className={`${line} text-xs text-muted`} style={style}>
        {loopTitle(row)}
      </li>
    );
  }
  if (row.kind === "node") {
    return (
      <li className={`${line} border-t first:border-t-0`} style={style}>
        <NodeWords nodeId={row.nodeId} />
        <StateMark state={nodeState(row.node, run.status)} />
      </li>
    );
  }
  const words = <StepWords step={row.step} run={run} />;
  const detail = detailOf(row.step, parts);
  if (detail === null) {
    return (
      <li className={line} style={style}>
        {words}
      </li>
    );
  }
  return (
    <li>
      <details>
        <summary className={`${line} cursor-pointer hover:bg-hover`} style={style}>
          {words}
        </summary>
        <div className="flex flex-col gap-3 border-t bg-canvas px-3 py-2">{detail}</div>
      </details>
    </li>
  );
}

function NodeWords({ nodeId }: { nodeId: string }) {
  const { registry } = useEditor();
  const node = useDocumentStore((state) => state.document.nodes[nodeId]);
  return (
    <>
      <span className="text-muted">
        <Icon name={registry[node?.type ?? ""]?.icon ?? "box"} size={14} />
      </span>
      <span className="min-w-0 flex-1 truncate font-medium">{node?.title ?? "A step"}</span>
    </>
  );
}

function StepWords({ step, run }: { step: RunStep; run: RunState }) {
  const { icon, tint, title, state } = stepLook(step, run.status);
  const duration = stepDuration(step);
  const usage = step.kind === "model" ? step.response?.usage : undefined;
  return (
    <>
      <span className={tint}>
        <Icon name={icon} size={14} />
      </span>
      <span className="min-w-0 flex-1 truncate">{title}</span>
      {usage && totalTokens(usage) > 0 && (
        <span className="shrink-0 text-xs text-muted numeric">{formatTokens(totalTokens(usage))}</span>
      )}
      {duration !== null && <span className="shrink-0 text-xs text-muted numeric">{formatDuration(duration)}</span>}
      <StateMark state={state} />
    </>
  );
}

/** What is shared of a step besides its line; null for nothing. */
function detailOf(step: RunStep, { prompts, data }: SharedParts): ReactNode {
  switch (step.kind) {
    case "tool":
      return data ? (
        <>
          <Value label="Arguments" value={step.start.input} />
          {step.end && <Value label="Result" value={step.end.output} />}
        </>
      ) : null;
    case "model": {
      const { request, response, text } = step;
      const said = response ? messageText(response.message) : text;
      if (said === "" && request.messages.length === 0) return null;
      return (
        <>
          {prompts && request.messages.map((message, index) => <MessageView key={index} message={message} labelled />)}
          {response && said !== "" && <MessageView message={response.message} labelled />}
        </>
      );
    }
    case "note":
      return "text" in step.event && step.event.text !== "" ? <LongText text={step.event.text} /> : null;
    default:
      return step satisfies never;
  }
}

function Value({ label, value }: { label: string; value: Json }) {
  return (
    <div className="flex flex-col gap-1">
      <p className="text-xs text-muted">{label}</p>
      <LongText
        className="font-mono text-xs"
        text={typeof value === "string" ? value : JSON.stringify(value, null, 2)}
      />
    </div>
  );
}
