import { type ComponentType, createContext, type ReactNode, useContext } from "react";
import type { CredentialSummary } from "../../stores/services.ts";

/** Parts of other features that these pages show; the page hands them in. */
export interface KnowledgeSlots {
  CredentialDialog: ComponentType<{
    open: boolean;
    onOpenChange: (open: boolean) => void;
    types?: readonly string[];
    onSaved?: (credential: CredentialSummary) => void;
  }>;
}

const SlotsContext = createContext<KnowledgeSlots | null>(null);

export function KnowledgeSlotsProvider({ slots, children }: { slots: KnowledgeSlots; children: ReactNode }) {
  return <SlotsContext value={slots}>{children}</SlotsContext>;
}

export function useKnowledgeSlots(): KnowledgeSlots {
  const slots = useContext(SlotsContext);
  if (slots === null) throw new Error("useKnowledgeSlots needs a KnowledgeSlotsProvider above it.");
  return slots;
}
