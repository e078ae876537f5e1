import { ValueFiles } from "./value-files.tsx";
import { progressWords } from "../../engine/tool/tool.ts";
import { toolOutcome, type ToolStep } from "../../engine/run/run-state.ts";
import { allowedText, askReason } from "../../engine/trust/provenance/unsaid-text.ts";
import { StepActions } from "../../state/run/step-actions.tsx";
import { formatSize } from "../../ui/text/format-amount.ts";
import { formatDuration } from "../../ui/text/format-duration.ts";
import { JsonTree } from "../../ui/data/json-tree.tsx";
import { ChangeView } from "../../ui/data/json-view/change-view.tsx";
import { JsonDiff } from "../../ui/data/json-view/json-diff.tsx";
import { JsonView } from "../../ui/data/json-view/json-view.tsx";
import { DetailSection, Facts } from "./detail-section.tsx";
import { HttpSection } from "./http-section.tsx";
import { GoToNode } from "./go-to-node.tsx";
import { LongText } from "../../ui/data/long-text.tsx";

/** A tool call: arguments, result in full, and the text that the model read of it. */
export function ToolDetail({ step }: { step: ToolStep }) {
  const { start, end, approval } = step;
  const held = step.heldInput ?? start.input;
  const input = approval?.input ?? held;
  const edited = approval?.state === "approved" && JSON.stringify(approval.input) !== JSON.stringify(held);
  return (
    <>
      <DetailSection title="Tool call" aside={<GoToNode nodeId={start.toolNodeId} />}>
        <Facts
          facts={[
            ["Tool", start.toolName],
            ["Time", end && formatDuration(end.durationMs)],
            ["Size", end && formatSize(end.size)],
            ["Status", statusWords[toolOutcome(step) ?? "running"]],
            ["Progress", step.progress && progressWords(step.progress)],
            [approval?.again === undefined ? "Approval" : "Repeat", approval && approvalWords(approval)],
            ["After a crash", step.again === undefined ? undefined : "called again; may have been called before"],
            ["Asked because", approval && askReason(approval)],
            ["Not asked because", allowedText(start)],
            ["Text from outside", end?.untrusted?.join(", ")],
            ["Served from", step.replayed && "the recording"],
          ]}
        />
        <StepActions step={step} />
      </DetailSection>
      <DetailSection title="Arguments" copy={() => JSON.stringify(input, null, 2)}>
        <JsonTree label="Arguments" value={input} openDepth={4} />
      </DetailSection>
      {approval?.preview !== undefined && (
        <DetailSection title="Shown before approval">
          <ChangeView label="What the call would do" value={approval.preview} />
        </DetailSection>
      )}
      {step.forms?.map(({ wait, end: answer }, index) => (
        <DetailSection key={index} title="Asked during the call">
          <LongText text={wait.form.message} />
          <JsonTree label="Answer" value={answer?.input ?? answer?.action ?? "waiting"} openDepth={2} />
        </DetailSection>
      ))}
      {step.heldInput !== undefined && (
        <DetailSection title="Edited at a breakpoint">
          <JsonDiff label="Edited at a breakpoint" before={start.input} after={step.heldInput} />
        </DetailSection>
      )}
      {edited && (
        <DetailSection title="Edited on approval">
          <JsonDiff label="Edited on approval" before={held} after={input} />
        </DetailSection>
      )}
      {end && (
        <DetailSection
          title={resultTitles[toolOutcome(step) ?? "done"]}
          copy={() => JSON.stringify(end.output, null, 2)}
        >
          <JsonView label="Result" value={end.output} openDepth={3} />
          <ValueFiles value={end.output} />
        </DetailSection>
      )}
      <HttpSection nodeId={start.toolNodeId} callId={start.callId} />
      {end && (
        <DetailSection
          title="What the model read"
          aside={end.truncated ? `cut to ${formatSize(end.text.length)}` : undefined}
          copy={() => end.text}
        >
          <LongText text={end.text} />
        </DetailSection>
      )}
    </>
  );
}

const statusWords = { running: "running", done: "succeeded", failed: "failed", rejected: "rejected" } as const;
const resultTitles = { done: "Result", failed: "Error", rejected: "Answer to the model" } as const;

function approvalWords({ state, reason }: NonNullable<ToolStep["approval"]>): string {
  return reason === undefined || reason === "" ? state : `${state}: ${reason}`;
}
