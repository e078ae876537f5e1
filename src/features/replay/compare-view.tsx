import { totalTokens } from "../../engine/model/usage.ts";
import { useMemo, useState } from "react";
import { Link } from "wouter";
import { comparableOutput } from "../../engine/run/replay/comparable-output.ts";
import { compareRuns } from "../../engine/run/replay/compare-runs.ts";
import type { RunState } from "../../engine/run/run-state.ts";
import { runStatusText } from "../../state/run/run-status-text.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { formatCost, formatTokens } from "../../ui/text/format-amount.ts";
import { formatDuration } from "../../ui/text/format-duration.ts";
import { formatMoment } from "../../ui/text/format-moment.ts";
import { JsonDiff } from "../../ui/data/json-view/json-diff.tsx";
import { ComparedLine } from "./compared-line.tsx";
import { ScrolledTable } from "../../ui/layout/scrolled-table.tsx";

/** One side of a comparison. */
export interface ComparedRun {
  id: string;
  /** The name of its workflow as it was. */
  name: string;
  state: RunState;
  titleOf: (nodeId: string) => string;
}

/** Calls shown at first; a run may make thousands. */
const mostSteps = 200;

/** Two runs side by side: their figures, input and output, and their calls lined up with the differences marked. */
export function CompareView({ left, right }: { left: ComparedRun; right: ComparedRun }) {
  const comparison = useMemo(() => compareRuns(left.state, right.state), [left, right]);
  const { steps, sameInput, sameOutput } = comparison;
  const [most, setMost] = useState(mostSteps);
  const rest = steps.length - most;
  const different = steps.filter((pair) => pair.differences.length > 0 || !pair.left || !pair.right).length;
  return (
    <div className="flex flex-col gap-5">
      <Figures left={left} right={right} />
      <Values title="Input" same={sameInput} before={left.state.input} after={right.state.input} />
      <Values
        title="Output"
        same={sameOutput}
        before={comparableOutput(left.state.output)}
        after={comparableOutput(right.state.output)}
      />
      <section className="flex flex-col gap-2">
        <h2 className="text-base font-semibold">
          Model and tool calls{" "}
          <span className="text-sm font-normal text-muted">
            {different === 0 ? "the same in both" : `${different} of ${steps.length} differ`}
          </span>
        </h2>
        <ul aria-label="Steps side by side" className="flex flex-col rounded-lg border bg-surface">
          {steps.slice(0, most).map((pair, index) => (
            <ComparedLine key={index} pair={pair} titleOf={right.titleOf} />
          ))}
          {steps.length === 0 && <li className="px-4 py-3 text-muted">Neither run called a model or a tool.</li>}
        </ul>
        {rest > 0 && (
          <Button size="sm" variant="ghost" className="self-start" onClick={() => setMost(most + mostSteps)}>
            Show {Math.min(rest, mostSteps)} of {rest.toLocaleString("en")} more calls
          </Button>
        )}
      </section>
    </div>
  );
}

function figuresOf({ state, name }: ComparedRun) {
  const { startedAt, endedAt, usage, steps } = state;
  const count = (kind: "model" | "tool") => steps.filter((step) => step.kind === kind).length;
  return {
    Workflow: name,
    Status: runStatusText[state.status],
    Time: startedAt === undefined || endedAt === undefined ? "not known" : formatDuration(endedAt - startedAt),
    "Model calls": String(count("model")),
    "Tool calls": String(count("tool")),
    Tokens: formatTokens(totalTokens(usage)),
    Cost: formatCost(state.costUsd),
  };
}

function Figures({ left, right }: { left: ComparedRun; right: ComparedRun }) {
  const [a, b] = [figuresOf(left), figuresOf(right)];
  const names = ["Workflow", "Status", "Time", "Model calls", "Tool calls", "Tokens", "Cost"] as const;
  return (
    <ScrolledTable label="Figures of both runs" className="rounded-lg border bg-surface">
      <table aria-label="Both runs" className="w-full text-left text-sm">
        <thead>
          <tr className="border-b">
            <td />
            <Heading run={left} words="Left" />
            <Heading run={right} words="Right" />
          </tr>
        </thead>
        <tbody>
          {names.map((name) => (
            <tr key={name} className="border-b last:border-b-0">
              <th scope="row" className="px-4 py-1.5 font-normal text-muted">
                {name}
              </th>
              <td className="px-4 py-1.5 numeric">{a[name]}</td>
              <td className={`px-4 py-1.5 numeric ${a[name] === b[name] ? "" : "font-medium"}`}>{b[name]}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrolledTable>
  );
}

function Heading({ run, words }: { run: ComparedRun; words: string }) {
  const { startedAt } = run.state;
  return (
    <th scope="col" className="px-4 py-2 font-medium">
      <Link href={`/runs/${run.id}`} className="text-accent hover:underline">
        {words}: {startedAt === undefined ? "run" : formatMoment(startedAt)}
      </Link>
    </th>
  );
}

function Values(props: { title: string; same: boolean; before: unknown; after: unknown }) {
  const { title, same, before, after } = props;
  return (
    <section className="flex flex-col gap-1">
      <h2 className="text-base font-semibold">
        {title} <span className="text-sm font-normal text-muted">{same ? "the same in both" : "different"}</span>
      </h2>
      {!same && <JsonDiff label={`${title}: left and right`} before={before ?? null} after={after ?? null} />}
    </section>
  );
}
