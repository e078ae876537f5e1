import type { ApprovalRequest } from "../../engine/host.ts";

/** What happened to a call, or to a step, that a crash interrupted; follows its name. */
export function interruptedText({ message }: Pick<ApprovalRequest, "message">): string {
  return message === undefined
    ? "may have been called already: the run was interrupted during the call"
    : "may have been done already";
}
