import { z } from "zod/mini";
import { readDocument } from "../../engine/document/read-document.ts";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import { stored, type Stored } from "../shared/stored.ts";
import { type Verdict, verdictKinds } from "./verdict.ts";

/** What waits for the person in one workflow, kept in this browser until it is decided. */
export interface StoredProposal {
  /** The conversation in which it was made. */
  sessionId: string | null;
  base: WorkflowDocument;
  draft: WorkflowDocument;
  verdict: Verdict | null;
  /** The suite that it improves prompts for, and what was measured of it. */
  improving: string | null;
  measured: { isBetter: boolean; words: string } | null;
}

const document = z.pipe(
  z.unknown(),
  z.transform((value, { issues }) => {
    const read = readDocument(value);
    if (read.ok) return read.document;
    issues.push({ code: "custom", message: read.problems.join(" "), input: value });
    return z.NEVER;
  }),
);

const schema: z.ZodMiniType<StoredProposal> = z.object({
  sessionId: z.nullable(z.string()),
  base: document,
  draft: document,
  verdict: z.nullable(
    z.object({
      kind: z.enum(verdictKinds),
      explanation: z.string(),
      runId: z.string(),
      steps: z.array(z.number()),
    }),
  ),
  improving: z.nullable(z.string()),
  measured: z.nullable(z.object({ isBetter: z.boolean(), words: z.string() })),
});

/** The proposal for a workflow. Where the browser keeps nothing, or has no room for it, it lasts as long as the page. */
export function storedProposal(workflowId: string): Stored<StoredProposal> {
  return stored(`switchyard:proposal:${workflowId}`, schema);
}
