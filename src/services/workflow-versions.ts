import type { WorkflowDocument } from "../engine/document/workflow-document.ts";
import type { RememberedSuite } from "./evaluations.ts";
import type { Page, PageRequest } from "./pages.ts";

/** Why a version was kept: before an edit overwrote it, before a restore, an import or the end of a conflict did, or because someone asked. */
export const versionReasons = ["edit", "restore", "import", "conflict", "manual"] as const;
export type VersionReason = (typeof versionReasons)[number];

export interface VersionSummary {
  id: string;
  workflowId: string;
  /** Versions with a name stay until they are deleted; of the others the last hundred do. */
  name: string | null;
  reason: VersionReason;
  /** The revision of the workflow that it was. */
  revision: number;
  /** When the workflow was last changed before that; ISO 8601. */
  savedAt: string;
  /** Its suites, as they were when the version was kept. */
  suites: RememberedSuite[];
}

/** How a workflow stood earlier. The database keeps a version by itself when an edit overwrites one of ten minutes ago. */
export interface VersionRepository {
  /** The latest first. */
  page(workflowId: string, request: Omit<PageRequest, "search">): Promise<Page<VersionSummary>>;
  document(id: string): Promise<WorkflowDocument>;
  /** Keeps a version of the workflow whose id the document has. */
  keep(
    document: WorkflowDocument,
    options: { name?: string; reason: VersionReason; revision: number },
  ): Promise<VersionSummary>;
  /** Null takes the name away. */
  rename(id: string, name: string | null): Promise<void>;
  remove(id: string): Promise<void>;
}
