import type { ComponentType } from "react";
import type { CredentialSummary } from "./services.ts";

/** The dialog in which a credential is made, for features that may not know the one that draws it. */
export type CredentialDialogPart = ComponentType<{
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Types to choose from; all when absent. */
  types?: readonly string[];
  onSaved?: (credential: CredentialSummary) => void;
}>;
