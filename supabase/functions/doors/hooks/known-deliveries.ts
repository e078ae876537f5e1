import type { SupabaseClient } from "../../_shared/supabase-client.ts";

/** What a webhook has to tell its owner, by the workflow's id: deliveries that came again since the last time it was stored. */
const untold = new Map<string, number>();

/** How long further deliveries of one webhook are only counted, so that a flood of them is one write a minute. */
const quietMs = 60_000;

/**
 * Counts a delivery that came again and started nothing, for the webhook's owner: the first at once, those of the following minute
 * together. Never throws: what cannot be stored counts with the next one.
 */
export async function countKnownDelivery(supabase: SupabaseClient, workflowId: string): Promise<void> {
  const count = untold.get(workflowId);
  untold.set(workflowId, (count ?? 0) + 1);
  if (count === undefined) await tell(supabase, workflowId);
}

async function tell(supabase: SupabaseClient, workflowId: string): Promise<void> {
  const count = untold.get(workflowId) ?? 0;
  if (count === 0) return void untold.delete(workflowId);
  untold.set(workflowId, 0);
  const told = { p_workflow_id: workflowId, p_count: count };
  await supabase.callAsService("studio_note_known_deliveries", told).catch(() => {
    untold.set(workflowId, (untold.get(workflowId) ?? 0) + count);
  });
  setTimeout(() => void tell(supabase, workflowId), quietMs);
}
