import { type ComponentType, createContext, type ReactNode, useContext } from "react";
import type { NodeRecord } from "../../engine/document/workflow-document.ts";
import type { CredentialSummary } from "../../stores/services.ts";

/** Parts of other features that the inspector shows; the page hands them in. */
export interface InspectorSlots {
  /** Buttons for what can be done with a node besides its settings; nothing for most nodes. */
  NodeActions: ComponentType<{ node: NodeRecord }>;
  CredentialDialog: ComponentType<{
    open: boolean;
    onOpenChange: (open: boolean) => void;
    types?: readonly string[];
    onSaved?: (credential: CredentialSummary) => void;
  }>;
}

const SlotsContext = createContext<InspectorSlots | null>(null);

export function InspectorSlotsProvider({ slots, children }: { slots: InspectorSlots; children: ReactNode }) {
  return <SlotsContext value={slots}>{children}</SlotsContext>;
}

export function useInspectorSlots(): InspectorSlots {
  const slots = useContext(SlotsContext);
  if (slots === null) throw new Error("useInspectorSlots needs an InspectorSlotsProvider above it.");
  return slots;
}
