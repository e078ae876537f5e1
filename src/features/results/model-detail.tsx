import { Fragment } from "react";
import type { ModelStep } from "../../engine/run/run-state.ts";
import { StepActions } from "../../state/run/step-actions.tsx";
import { formatCost, formatTokens } from "../../ui/text/format-amount.ts";
import { formatDuration } from "../../ui/text/format-duration.ts";
import { JsonTree } from "../../ui/data/json-tree.tsx";
import { Markdown } from "../../ui/text/markdown.tsx";
import { DetailSection, Facts } from "./detail-section.tsx";
import { ErrorNotice } from "./error-notice.tsx";
import { LazyDetails } from "./lazy-details.tsx";
import { LongText } from "../../ui/data/long-text.tsx";
import { MessageView } from "./message-view.tsx";
import { SentMessages } from "./sent-messages.tsx";

/** A model call: what was sent, exactly, and what came back. */
export function ModelDetail({ step }: { step: ModelStep }) {
  const { request, response } = step;
  return (
    <>
      <DetailSection title="Model call">
        <Facts facts={callFacts(step)} />
        <StepActions step={step} />
      </DetailSection>
      {response?.error && (
        <div className="px-4 py-3">
          <ErrorNotice error={response.error} />
        </div>
      )}
      <DetailSection
        title="Received"
        aside={response === undefined ? "streaming" : undefined}
        copy={() => JSON.stringify(response?.message ?? step.text, null, 2)}
      >
        {step.reasoning !== "" && (
          <details className="text-muted">
            <summary className="text-xs">Reasoning</summary>
            <LongText text={step.reasoning} />
          </details>
        )}
        {response ? <MessageView message={response.message} rendered /> : <Markdown text={step.text} streaming />}
        {response && (
          <LazyDetails summary={<span className="text-xs text-muted">As JSON</span>}>
            {() => <JsonTree label="The answer as JSON" value={received(response)} openDepth={2} />}
          </LazyDetails>
        )}
      </DetailSection>
      <SentMessages request={request} />
      {request.tools.length > 0 && (
        <DetailSection title="Tools offered" aside={`choice: ${request.toolChoice}`}>
          {request.tools.map((tool) => (
            <LazyDetails
              key={tool.name}
              summary={
                <>
                  <span className="font-medium">{tool.name}</span>{" "}
                  <span className="text-muted">{tool.description}</span>
                </>
              }
            >
              {() => <JsonTree label={`Parameters of ${tool.name}`} value={tool.parameters} openDepth={3} />}
            </LazyDetails>
          ))}
        </DetailSection>
      )}
      <DetailSection title="Settings">
        <dl className="grid grid-cols-[auto_1fr] gap-x-4 font-mono text-xs/5">
          {Object.entries(request.settings).map(([name, value]) => (
            <Fragment key={name}>
              <dt className="text-muted">{name}</dt>
              <dd className="wrap-anywhere">{JSON.stringify(value)}</dd>
            </Fragment>
          ))}
        </dl>
      </DetailSection>
    </>
  );
}

const endings: Record<NonNullable<ModelStep["response"]>["finishReason"], string> = {
  stop: "complete",
  "tool-calls": "asks for tools",
  length: "cut off at the token limit",
  "content-filter": "declined or filtered",
  pause: "paused, to be continued",
  other: "stopped early",
  error: "failed",
  cancelled: "stopped",
};

/** How the answer ended; with the vendor's own word where it was no plain end. */
function finishText({ finishReason, rawFinishReason }: NonNullable<ModelStep["response"]>): string {
  const plain = finishReason === "stop" || finishReason === "tool-calls" || rawFinishReason === undefined;
  return plain ? endings[finishReason] : `${endings[finishReason]} (${rawFinishReason})`;
}

/** What came back, as it was taken in. */
function received({ message, finishReason, rawFinishReason, usage }: NonNullable<ModelStep["response"]>) {
  return { message, finishReason, rawFinishReason: rawFinishReason ?? null, usage: usage ?? null };
}

function callFacts({ request, response, replayed }: ModelStep) {
  const usage = response?.usage;
  return [
    ["Model", request.model],
    ["Provider", request.provider],
    ["Purpose", request.purpose],
    ["Time", response && formatDuration(response.durationMs)],
    ["First word", response?.firstTokenMs === undefined ? undefined : formatDuration(response.firstTokenMs)],
    ["In", usage && formatTokens(usage.inputTokens)],
    ["Cached", usage?.cachedInputTokens ? formatTokens(usage.cachedInputTokens) : undefined],
    ["Out", usage && formatTokens(usage.outputTokens)],
    ["Reasoning", usage?.reasoningTokens ? formatTokens(usage.reasoningTokens) : undefined],
    ["Cost", response && formatCost(response.costUsd)],
    ["Finish", response && finishText(response)],
    ["Served from", replayed && "the recording"],
  ] as const;
}
