import type { ApprovalRequest } from "../engine/host.ts";
import type { JsonObject } from "../engine/json.ts";

/** A tool call of a run on a worker that waits for a person, or the form that it asks. */
export interface OpenQuestion {
  runId: string;
  callId: string;
  workflowId: string;
  workflowName: string;
  question: Pick<
    ApprovalRequest,
    | "toolName"
    | "input"
    | "parameters"
    | "preview"
    | "untrusted"
    | "unsaid"
    | "remedy"
    | "allowable"
    | "form"
    | "message"
    | "again"
  >;
  /** ISO 8601. */
  askedAt: string;
  /** Null when it waits for ever. */
  expiresAt: string | null;
}

/** What a person says; without an input the call is made with the arguments that were asked, or with what the form begins with. */
export type InboxDecision = { approved: true; input?: JsonObject } | { approved: false; reason: string };

/** `decided`, or why it was not: only the first decision counts, in time and while the run goes on. */
export type DecisionOutcome = "decided" | "decided-elsewhere" | "expired" | "over";

export interface InboxService {
  /** The oldest first, at most 200, and how many there are in all. */
  list(limit: number): Promise<{ questions: OpenQuestion[]; total: number }>;
  count(): Promise<number>;
  /** A question that is not there any more counts as `over`. */
  decide(question: Pick<OpenQuestion, "runId" | "callId">, decision: InboxDecision): Promise<DecisionOutcome>;
}
