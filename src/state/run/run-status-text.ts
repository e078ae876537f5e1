import type { RunSource, RunSummary, StoredRunStatus } from "../../services/run-history.ts";

/** How a run stands, in a word. */
export const runStatusText: Record<StoredRunStatus, string> = {
  queued: "Queued",
  running: "Running",
  waiting: "Waiting",
  completed: "Completed",
  failed: "Failed",
  cancelled: "Stopped",
  interrupted: "Interrupted",
};

/** The mark of a run's status: an icon of `ui` and its colour. */
export const runStatusLooks = {
  queued: { icon: "clock", tint: "text-muted" },
  running: { icon: "play", tint: "text-accent" },
  waiting: { icon: "hand", tint: "text-warning" },
  completed: { icon: "circle-check", tint: "text-success" },
  failed: { icon: "circle-x", tint: "text-danger" },
  cancelled: { icon: "circle-stop", tint: "text-muted" },
  interrupted: { icon: "unplug", tint: "text-warning" },
} as const satisfies Record<StoredRunStatus, { icon: string; tint: string }>;

/** What started a run, in a word or two. */
export const runSourceText: Record<RunSource, string> = {
  editor: "Editor",
  manual: "On the server",
  schedule: "Schedule",
  api: "API",
  webhook: "Webhook",
  chat: "Chat page",
  mcp: "MCP",
  failure: "After a failure",
};

/** Where a run on the server came from and how far it is, such as "Schedule, version 3, attempt 2"; empty for runs of a browser. */
export function serverRunText({ source, server }: Pick<RunSummary, "source" | "server">): string {
  if (server === null) return "";
  const words = [runSourceText[source], `version ${server.version}`];
  if (server.attempt > 1) words.push(`attempt ${server.attempt}`);
  return words.join(", ");
}
