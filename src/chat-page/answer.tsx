import { memo } from "react";
import { Button } from "../ui/buttons/button.tsx";
import { Icon } from "../ui/icons/icon.tsx";
import { Markdown } from "../ui/text/markdown.tsx";
import { WebSources } from "../ui/data/web-sources.tsx";
import { AnswerFeedback } from "./answer-feedback.tsx";
import { PageFiles } from "./page-files.tsx";
import type { ChatSession, PageStep, PageTurn } from "./chat-session.ts";

/** While a person has to allow something, or to answer a question, which may take days. */
export const waitWords = "A person has to answer something first. You can leave and come back for the answer later.";

/** An answer as it comes, the tools that it names, and how it ended. */
export const Answer = memo(function Answer({ session, turn }: { session: ChatSession; turn: PageTurn }) {
  const { answer, steps, status, problem, key } = turn;
  const isRunning = status === "running";
  return (
    <div className="answer flex min-w-0 flex-col gap-2">
      <span className="sr-only">Answer: </span>
      {steps.length > 0 && (
        <ul aria-label="Tools used" className="flex flex-wrap gap-1.5">
          {steps.map((step, index) => (
            <Step key={index} step={step} />
          ))}
        </ul>
      )}
      {answer !== "" && <Markdown text={answer} streaming={isRunning} />}
      {(turn.pictures ?? []).map((url, index) => (
        <img
          key={index}
          src={url}
          alt={`Picture ${index + 1} of the answer`}
          className="max-h-96 max-w-full self-start rounded-md border"
        />
      ))}
      {turn.files && <PageFiles label="Files of the answer" files={turn.files} />}
      {turn.sources && <WebSources sources={turn.sources} />}
      {isRunning && turn.waits === true ? (
        <p className="text-sm text-muted">{waitWords}</p>
      ) : (
        isRunning && answer === "" && <Working />
      )}
      {problem !== null && (
        <p className="flex flex-wrap items-center gap-2 text-sm text-muted">
          <span>{problem}</span>
          {(status === "failed" || status === "stopped") && (
            <Button size="sm" onClick={() => session.retry(key)}>
              Try again
            </Button>
          )}
        </p>
      )}
      {!isRunning && answer !== "" && <AnswerFeedback session={session} turn={turn} />}
    </div>
  );
});

const stepIcons = { running: "loader-circle", done: "check", failed: "x", rejected: "x" } as const;
const stepWords = { running: "running", done: "done", failed: "failed", rejected: "not allowed" } as const;

function Step({ step: { name, state } }: { step: PageStep }) {
  return (
    <li className="inline-flex items-center gap-1.5 rounded-full border px-2.5 py-0.5 text-xs text-muted">
      <span className={state === "running" ? "spinner-now inline-flex" : "inline-flex"}>
        <Icon name={stepIcons[state]} size={12} label={stepWords[state]} />
      </span>
      {name}
    </li>
  );
}

function Working() {
  return (
    <span aria-hidden className="flex h-6 items-center gap-1">
      {[0, 150, 300].map((delay) => (
        <span
          key={delay}
          className="size-1.5 animate-pulse rounded-full bg-faint"
          style={{ animationDelay: `${delay}ms` }}
        />
      ))}
    </span>
  );
}
