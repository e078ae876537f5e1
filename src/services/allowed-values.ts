import type { AllowedValue } from "../engine/trust/allowed-values.ts";

/** A value that is allowed for good, or that was approved three times or more, and never edited or rejected, and could be allowed. */
export interface KeptValue extends Pick<AllowedValue, "toolName" | "path" | "value"> {
  id: string;
  workflowId: string;
  workflowName: string;
  isAllowed: boolean;
  approvals: number;
}

/** How a person answered for values: as they were, with an edit or a rejection, or for good. */
export type ValueAnswer = "approved" | "changed" | "allowed";

export interface AllowedValueService {
  /** The newest first. */
  list(): Promise<KeptValue[]>;
  /** Remembers an answer. */
  answer(workflowId: string, values: readonly AllowedValue[], answer: ValueAnswer): Promise<void>;
  /** Has one of the list not asked about any more. */
  allow(id: string): Promise<void>;
  /** Forgets one of the list: it is asked about again. */
  remove(id: string): Promise<void>;
}
