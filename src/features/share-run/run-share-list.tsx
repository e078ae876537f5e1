import type { SharedParts } from "../../engine/run/share/shared-run.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { LoadFailure } from "../../ui/feedback/load-failure.tsx";
import { formatMoment } from "../../ui/text/format-moment.ts";
import { useRunShares } from "./use-run-shares.ts";

/** The links to a run, each of which can be revoked; nothing while there is none. */
export function RunShareList(props: { runId: string; busy: boolean; onRevoke: (id: string) => void }) {
  const shares = useRunShares(props.runId);
  if (shares.isError) return <LoadFailure error={shares.error} onRetry={() => void shares.refetch()} />;
  if (shares.data === undefined || shares.data.length === 0) return null;
  return (
    <section aria-label="Links to this run" className="flex flex-col gap-1.5">
      <h3 className="font-medium">Links to this run</h3>
      <ul className="overflow-clip rounded-lg border">
        {shares.data.map(({ id, parts, createdAt, expiresAt }) => {
          const made = formatMoment(Date.parse(createdAt));
          return (
            <li key={id} className="flex items-center gap-2 border-b px-3 py-2 last:border-b-0">
              <div className="min-w-0 flex-1">
                <p>{made}</p>
                <p className="text-xs text-muted">
                  Ends {formatMoment(Date.parse(expiresAt))}
                  {partsLabel(parts)}
                </p>
              </div>
              <Button
                size="sm"
                busy={props.busy}
                aria-label={`Revoke the link of ${made}`}
                onClick={() => props.onRevoke(id)}
              >
                Revoke
              </Button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function partsLabel(parts: SharedParts): string {
  const shown = (["prompts", "data", "files"] as const).filter((part) => parts[part]);
  return shown.length === 0 ? "" : ` · with ${shown.join(", ")}`;
}
