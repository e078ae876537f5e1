import type { SupabaseClient } from "../../shared/storage/supabase-client.ts";

/** Calls `onChange` for each line that the studio's server writes about a run; see `ServerRuns.watch`. */
export async function watchRun(
  send: SupabaseClient["send"],
  runId: string,
  onChange: () => void,
  signal: AbortSignal,
): Promise<void> {
  try {
    const response = await send(`/live/v1/runs/${runId}/changes`, { signal });
    if (!response.ok || response.body === null) return void (await response.body?.cancel());
    const reader = response.body.getReader();
    // What the lines say is read from the log, which has it whole.
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      if (piece.value.some((byte) => byte !== lineEnd)) onChange();
    }
  } catch {
    // Broken off or given up: whoever follows the run looks at it now and then all the same.
  }
}

/** Lines without anything keep the connection open. */
const lineEnd = 10;
