import type { SupabaseClient } from "../../shared/storage/supabase-client.ts";

/** The database is told this often that somebody still follows the run; it forgets that after 90 seconds. */
const renewMs = 45_000;
/** The database tells no more of what follows within 200 ms, so the follower looks again by itself. */
const lookAgainMs = 300;

/**
 * Calls `onChange` when Realtime tells on the run's private channel that something of it was stored; see `ServerRuns.watch`.
 * Resolves when the channel is closed or refused, or the project has no Realtime.
 */
export async function watchHostedRun(
  { database, realtime }: Pick<SupabaseClient, "database" | "realtime">,
  runId: string,
  onChange: () => void,
  signal: AbortSignal,
): Promise<void> {
  const renew = async () => (await database.rpc("studio_watch_run", { p_run_id: runId })).data === true;
  let renewing: ReturnType<typeof setInterval> | undefined;
  let again: ReturnType<typeof setTimeout> | undefined;
  const hear = () => {
    clearTimeout(again);
    again = setTimeout(onChange, lookAgainMs);
    onChange();
  };
  try {
    if (!(await renew()) || signal.aborted) return;
    await realtime.setAuth();
    const channel = realtime.channel(`studio-run:${runId}`, { config: { private: true } });
    try {
      await new Promise<void>((resolve) => {
        signal.addEventListener("abort", () => resolve(), { once: true });
        if (signal.aborted) return resolve();
        renewing = setInterval(() => void renew().then((isKept) => (isKept ? undefined : resolve()), resolve), renewMs);
        channel.on("broadcast", { event: "changed" }, hear).subscribe((status) => {
          // What was stored before is looked at once.
          if (status === "SUBSCRIBED") hear();
          else resolve();
        });
      });
    } finally {
      await realtime.removeChannel(channel);
    }
  } catch {
    // Without Realtime the run is looked at now and then all the same.
  } finally {
    clearInterval(renewing);
    clearTimeout(again);
  }
}
