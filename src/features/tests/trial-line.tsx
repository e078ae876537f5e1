import type { KeyboardEvent } from "react";
import { Link } from "wouter";
import type { TrialResult } from "../../evaluation/run/trial-result.ts";
import { Badge, type BadgeTone } from "../../ui/feedback/badge.tsx";
import { IconButton } from "../../ui/buttons/icon-button.tsx";

/** Keeps what a person says of an answer; undefined takes it back. */
export type OnLabel = (trial: TrialResult, label: TrialResult["label"]) => void;

/** A run beside which another one can be opened. */
export interface ComparedRun {
  runId: string;
  /** What it is, such as “the earlier result”. */
  words: string;
}

const trialLooks: Readonly<Record<TrialResult["status"], { words: string; tone: BadgeTone }>> = {
  passed: { words: "Passed", tone: "success" },
  failed: { words: "Failed", tone: "danger" },
  unchecked: { words: "Not checked", tone: "warning" },
  excluded: { words: "Not counted", tone: "warning" },
};

const labels = [
  { label: "right", words: "Right", key: "y", icon: "thumbs-up" },
  { label: "wrong", words: "Wrong", key: "n", icon: "thumbs-down" },
] as const;

interface TrialLineProps {
  trial: TrialResult;
  /** Whether the version is named. */
  named: boolean;
  /** The same trial of what the result is compared with, if there is one. */
  compared: ComparedRun | undefined;
  onLabel: OnLabel | undefined;
}

/** One trial: how it went, what was answered, and what a person says of that. */
export function TrialLine({ trial, named, compared, onLabel }: TrialLineProps) {
  const { variant, trial: number, status, reason, answer, runId } = trial;
  const look = trialLooks[status];
  const toggle = (label: (typeof labels)[number]["label"]) =>
    onLabel?.(trial, trial.label === label ? undefined : label);
  const onKeyDown = (event: KeyboardEvent<HTMLLIElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const chosen = labels.find(({ key }) => key === event.key.toLowerCase());
    const { currentTarget: line } = event;
    const next = { ArrowDown: line.nextElementSibling, ArrowUp: line.previousElementSibling }[event.key];
    if (chosen) toggle(chosen.label);
    else if (next instanceof HTMLElement) next.focus();
    else return;
    event.preventDefault();
  };
  return (
    <li className="flex flex-col gap-1 rounded-md" {...(onLabel ? { tabIndex: 0, onKeyDown } : {})}>
      <p className="flex flex-wrap items-center gap-2">
        <span>{named ? `${variant}, trial ${number}` : `Trial ${number}`}</span>
        <Badge tone={look.tone}>{look.words}</Badge>
        {onLabel &&
          labels.map(({ label, words, icon }) => (
            <IconButton
              key={label}
              icon={icon}
              label={words}
              size="sm"
              aria-pressed={trial.label === label}
              onClick={() => toggle(label)}
            />
          ))}
        {runId !== "" && (
          <Link href={`/runs/${runId}`} className="text-accent hover:underline">
            Open the run
          </Link>
        )}
        {runId !== "" && compared && (
          <Link href={`/runs/compare?left=${compared.runId}&right=${runId}`} className="text-accent hover:underline">
            Compare with {compared.words}
          </Link>
        )}
      </p>
      {reason !== "" && <p className="text-xs whitespace-pre-wrap wrap-anywhere">{reason}</p>}
      {answer !== "" && <p className="line-clamp-3 text-xs text-muted wrap-anywhere">{answer}</p>}
    </li>
  );
}
