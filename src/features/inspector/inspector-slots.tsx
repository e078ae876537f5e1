import { type ComponentType, createContext, type ReactNode, useContext } from "react";
import type { CredentialSummary } from "../../stores/services.ts";

/** Parts of other features that the inspector shows; the page hands them in. */
export interface InspectorSlots {
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
