import { isJsonObject, type Json } from "../../engine/json.ts";
import { endingLabel } from "../../stores/finish-message.ts";
import { runStatusLooks, runStatusText } from "../../stores/run-status-text.ts";
import type { RunSummary, StoredRunStatus } from "../../services/services.ts";
import { formatDuration } from "../../ui/format-duration.ts";
import type { IconName } from "../../ui/icon.tsx";

/** The mark of one run, with its word: a run that stopped early is not shown as one that did all it was asked. */
export function runLook({ status, ending }: RunSummary): { icon: IconName; tint: string; words: string } {
  if (status === "completed" && ending !== null)
    return { icon: "flag", tint: "text-warning", words: endingLabel(ending.finish) };
  return { ...runStatusLooks[status], words: runStatusText[status] };
}

/** Runs that go on, or will, are not deleted: those of the server have to be stopped first. */
export function isUnderWay(status: StoredRunStatus): boolean {
  return status === "queued" || status === "running" || status === "waiting";
}

/** What a run was given: the chat message, or the input as JSON. */
export function inputWords(input: Json): string {
  if (isJsonObject(input) && typeof input.message === "string") return input.message.slice(0, 300);
  return (typeof input === "string" ? input : JSON.stringify(input)).slice(0, 300);
}

/** How long a run took; empty while it runs, and where its end was not seen. */
export function runDuration({ startedAt, endedAt, status }: RunSummary): string {
  if (endedAt === null || status === "interrupted") return "";
  return formatDuration(Date.parse(endedAt) - Date.parse(startedAt));
}
