import { readDocument } from "../../../src/engine/document/read-document.ts";
import { type PublishedInterface, publishedInterface } from "../../../src/doors/published-interface.ts";
import { nodeRegistry } from "../../../src/nodes/index.ts";
import { DoorProblem, problems } from "./door-problem.ts";
import type { SupabaseClient } from "./supabase-client.ts";

const mostKept = 200;
/** Versions never change, so what was read of one holds. */
const kept = new Map<string, Promise<PublishedInterface>>();

/** How programs use a published version. Throws DoorProblem where there is none. */
export function interfaceOf(
  supabase: SupabaseClient,
  workflowId: string,
  version: number,
): Promise<PublishedInterface> {
  const key = `${workflowId} ${version}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  if (kept.size >= mostKept) kept.clear();
  const reading = read(supabase, workflowId, version);
  kept.set(key, reading);
  reading.catch(() => kept.delete(key));
  return reading;
}

async function read(supabase: SupabaseClient, workflowId: string, version: number): Promise<PublishedInterface> {
  const asked = { p_workflow_id: workflowId, p_version: version };
  const document = await supabase.callAsService("studio_read_published", asked, "reads");
  const found = document === null ? null : readDocument(document, nodeRegistry, () => crypto.randomUUID());
  if (found === null || !found.ok) throw new DoorProblem(problems.notFound("published version"));
  return publishedInterface(found.document, nodeRegistry);
}
