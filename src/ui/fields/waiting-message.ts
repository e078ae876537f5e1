/** A message that was sent while its files were being stored: of which conversation, and how many files had failed by then. */
export interface WaitingMessage {
  conversation: string | null;
  failures: number;
}

interface Now extends WaitingMessage {
  isStoring: boolean;
  /** An answer is on its way, and takes no second message. */
  isAnswering: boolean;
}

/** What becomes of it: one whose files are not all stored, or whose conversation was left, stays in the field. */
export function fateOf(waiting: WaitingMessage, now: Now): "wait" | "send" | "keep" {
  if (waiting.conversation !== now.conversation || waiting.failures !== now.failures) return "keep";
  return now.isStoring || now.isAnswering ? "wait" : "send";
}
