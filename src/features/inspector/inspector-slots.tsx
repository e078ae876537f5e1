import type { ComponentType } from "react";
import type { NodeRecord } from "../../engine/document/workflow-document.ts";
import type { CredentialDialogPart } from "../../state/credential/credential-dialog-part.ts";
import { createSlots } from "../../ui/buttons/create-slots.tsx";

/** Parts of other features that the inspector shows; the page hands them in. */
interface InspectorSlots {
  /** Buttons for what can be done with a node besides its settings; nothing for most nodes. */
  NodeActions: ComponentType<{ node: NodeRecord }>;
  CredentialDialog: CredentialDialogPart;
}

export const { SlotsProvider: InspectorSlotsProvider, useSlots: useInspectorSlots } =
  createSlots<InspectorSlots>("the inspector");
