import type { ComponentType } from "react";
import type { CredentialSummary } from "../../services/services.ts";

/** What a new credential begins with, where it is known what it is for; no secrets. */
export interface CredentialStart {
  type: string;
  name: string;
  fields: Readonly<Record<string, string>>;
  hosts: readonly string[];
  /** Where one gets it. */
  help: string;
}

/** The dialog in which a credential is made, for features that may not know the one that draws it. */
export type CredentialDialogPart = ComponentType<{
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Types to choose from; all when absent. */
  types?: readonly string[];
  /** What the form of a new one begins with. */
  start?: CredentialStart;
  onSaved?: (credential: CredentialSummary) => void;
}>;
