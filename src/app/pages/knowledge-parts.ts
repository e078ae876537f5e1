import { CredentialDialog } from "../../features/credentials/credential-dialog.tsx";
import type { KnowledgeSlots } from "../../features/knowledge/knowledge-slots.tsx";
import { ModelChoice } from "../../features/tests/model-choice.tsx";

/** What the knowledge pages show of other features. */
export const knowledgeSlots: KnowledgeSlots = { CredentialDialog, ModelChoice };
