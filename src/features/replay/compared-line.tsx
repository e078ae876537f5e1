import { totalTokens } from "../../engine/model/usage.ts";
import { useState } from "react";
import type { ComparedPair, ComparedStep, StepDifference } from "../../engine/run/replay/compare-runs.ts";
import { Badge } from "../../ui/feedback/badge.tsx";
import { formatCost, formatTokens } from "../../ui/text/format-amount.ts";
import { formatDuration } from "../../ui/text/format-duration.ts";
import { Icon } from "../../ui/icons/icon.tsx";
import { ComparedContent } from "./compared-content.tsx";

const differenceWords: Record<StepDifference, string> = {
  request: "other request",
  response: "other answer",
  arguments: "other arguments",
  result: "other result",
  failure: "failed in one",
  tokens: "other tokens",
};

/** A call in both runs, or in one; opens to what differs. */
export function ComparedLine({ pair, titleOf }: { pair: ComparedPair; titleOf: (nodeId: string) => string }) {
  const { left, right, differences } = pair;
  const both = left !== undefined && right !== undefined;
  const changed = differences.length > 0;
  // A call may hold megabytes: it is drawn when somebody wants to see it.
  const [open, setOpen] = useState(false);
  return (
    <li className="border-b last:border-b-0">
      <details className="group" onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary className="grid cursor-pointer grid-cols-1 items-center gap-x-4 gap-y-1 px-4 py-2 outline-offset-[-2px] hover:bg-hover sm:grid-cols-[1fr_1fr_auto]">
          <Side step={left} titleOf={titleOf} />
          <Side step={right} titleOf={titleOf} />
          <span className="flex flex-wrap gap-1 sm:w-40 sm:justify-end">
            {!both && <Badge tone="warning">{left ? "only left" : "only right"}</Badge>}
            {both && !changed && <span className="text-xs text-faint">the same</span>}
            {differences.map((difference) => (
              <Badge key={difference} tone="warning">
                {differenceWords[difference]}
              </Badge>
            ))}
          </span>
        </summary>
        {open && <ComparedContent {...pair} />}
      </details>
    </li>
  );
}

function Side({ step, titleOf }: { step: ComparedStep | undefined; titleOf: (nodeId: string) => string }) {
  if (step === undefined) return <span className="text-faint max-sm:hidden">not made</span>;
  const title = step.kind === "model" ? step.request.model : step.start.toolName;
  return (
    <span className="flex min-w-0 flex-col">
      <span className="flex min-w-0 items-center gap-2">
        <span className={step.kind === "model" ? "text-role-model" : "text-role-tool"}>
          <Icon name={step.kind === "model" ? "sparkles" : "wrench"} size={14} />
        </span>
        <span className="truncate font-medium">{title}</span>
        {step.replayed && <span className="shrink-0 text-xs text-muted">from the recording</span>}
      </span>
      <span className="truncate text-xs text-muted numeric">
        {[titleOf(step.nodeId), ...figures(step)].join(" · ")}
      </span>
    </span>
  );
}

function figures(step: ComparedStep): string[] {
  if (step.kind === "tool") return step.end ? [formatDuration(step.end.durationMs)] : ["not finished"];
  const { response } = step;
  if (response === undefined) return ["not finished"];
  const { usage } = response;
  return [
    formatDuration(response.durationMs),
    ...(usage ? [formatTokens(totalTokens(usage)), formatCost(response.costUsd)] : []),
  ];
}
