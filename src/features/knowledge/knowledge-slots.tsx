import type { CredentialDialogPart } from "../../state/credential/credential-dialog-part.ts";
import type { ModelChoicePart } from "../../state/evaluation/model-choice-part.ts";
import { createSlots } from "../../ui/buttons/create-slots.tsx";

/** Parts of other features that these pages show; the page hands them in. */
export interface KnowledgeSlots {
  CredentialDialog: CredentialDialogPart;
  ModelChoice: ModelChoicePart;
}

export const { SlotsProvider: KnowledgeSlotsProvider, useSlots: useKnowledgeSlots } =
  createSlots<KnowledgeSlots>("the knowledge pages");
