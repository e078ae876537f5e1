import { useDeferredValue, useMemo, useState } from "react";
import { answerText } from "../doors/answer-text.ts";
import { isJsonObject, type Json } from "../engine/json.ts";
import { namedFiles } from "../engine/model/attachments.ts";
import { messageText } from "../engine/model/message.ts";
import type { RunState } from "../engine/run/run-state.ts";
import type { SharedParts } from "../engine/run/share/shared-run.ts";
import { RunStatusMark } from "../features/results/run-status-mark.tsx";
import { stepRows } from "../features/results/step-rows.ts";
import { useRunStore } from "../state/editor/editor-context.tsx";
import { currentRun } from "../state/run/run-store.ts";
import { Button } from "../ui/buttons/button.tsx";
import { Picture } from "../ui/graph/picture.tsx";
import { formatDuration } from "../ui/text/format-duration.ts";
import { Markdown } from "../ui/text/markdown.tsx";
import { SharedStep } from "./shared-step.tsx";

/** Steps that are shown at first, and more with each request: thousands at once would stop the page. */
const stepsAtOnce = 500;

/** Question and answer, and what the run did, up to the moment on show. */
export function SharedLog({ parts }: { parts: SharedParts }) {
  const run = useDeferredValue(useRunStore(currentRun));
  const rows = useMemo(() => (run ? stepRows(run).filter(({ kind }) => kind !== "run") : []), [run]);
  const [most, setMost] = useState(stepsAtOnce);
  if (run === undefined) return null;
  const question = isJsonObject(run.input) && typeof run.input["message"] === "string" ? run.input["message"] : "";
  const answer = run.status === "running" ? wordsSoFar(run) : answerText(run.output) || wordsSoFar(run);
  return (
    <section aria-label="Run" className="flex flex-col gap-4 p-4">
      {(question !== "" || picturesIn(run.input).length > 0) && (
        <div className="flex max-w-[90%] flex-col gap-2 self-end rounded-lg bg-accent-soft px-3 py-2">
          <h2 className="sr-only">Question</h2>
          {question !== "" && <p className="whitespace-pre-wrap wrap-anywhere">{question}</p>}
          <Attached value={run.input} alt="Attached to the question" />
        </div>
      )}
      {answer !== "" && (
        <div className="flex flex-col gap-2">
          <h2 className="text-xs font-medium text-muted">Answer</h2>
          <Markdown text={answer} streaming={run.status === "running"} />
        </div>
      )}
      <Attached value={run.output} alt="Part of the answer" />
      <div className="flex flex-col gap-1">
        <h2 className="flex items-center gap-2 text-xs font-medium text-muted">
          <span className="mr-auto">Steps</span>
          <RunStatusMark run={run} />
          {run.startedAt !== undefined && run.endedAt !== undefined && (
            <span className="numeric font-normal">{formatDuration(run.endedAt - run.startedAt)}</span>
          )}
        </h2>
        {run.error && run.status === "failed" && <p className="text-sm text-danger">{run.error.message}</p>}
        <ol aria-label="Steps" className="flex flex-col overflow-clip rounded-lg border bg-surface">
          {rows.slice(0, most).map((row) => (
            <SharedStep key={row.id} row={row} run={run} parts={parts} />
          ))}
        </ol>
        {rows.length > most && (
          <Button size="sm" className="self-start" onClick={() => setMost(most + stepsAtOnce)}>
            Show more of {rows.length.toLocaleString("en")} steps
          </Button>
        )}
      </div>
    </section>
  );
}

/** What the model wrote last outside of tools. */
function wordsSoFar({ steps }: RunState): string {
  const last = steps.findLast((step) => step.kind === "model" && step.parentCallId === undefined);
  if (last?.kind !== "model") return "";
  return last.response ? messageText(last.response.message) : last.text;
}

function picturesIn(value: Json | undefined): string[] {
  const images = isJsonObject(value) ? value["images"] : undefined;
  return Array.isArray(images) ? images.filter((url) => typeof url === "string") : [];
}

/** Pictures, and the names of files. */
function Attached({ value, alt }: { value: Json | undefined; alt: string }) {
  const files = isJsonObject(value) ? namedFiles(value) : [];
  return (
    <>
      {picturesIn(value).map((url, index) => (
        <Picture key={index} url={url} alt={alt} />
      ))}
      {files.map(({ name = "File" }, index) => (
        <p key={index} className="text-xs text-muted wrap-anywhere">
          Attached file: {name}
        </p>
      ))}
    </>
  );
}
