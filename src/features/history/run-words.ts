import type { Json } from "../../engine/json.ts";
import { messageLine } from "../../engine/model/attachments.ts";
import type { RunSummary } from "../../services/services.ts";
import { formatDuration } from "../../ui/text/format-duration.ts";

/** What a run was given: the chat message, or the input as JSON. */
export function inputWords(input: Json): string {
  return (messageLine(input) ?? (typeof input === "string" ? input : JSON.stringify(input))).slice(0, 300);
}

/** How long a run took; empty while it runs, and where its end was not seen. */
export function runDuration({ startedAt, endedAt, status }: RunSummary): string {
  if (endedAt === null || status === "interrupted") return "";
  return formatDuration(Date.parse(endedAt) - Date.parse(startedAt));
}
