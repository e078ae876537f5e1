import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { storageKey, storageLimits } from "../../services/storage-limits.ts";
import type { StorageUse as Use } from "../../services/services.ts";
import { useServices } from "../../services/services-context.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { classNames } from "../../ui/theme/class-names.ts";
import { formatBytes } from "../../ui/text/format-bytes.ts";
import { LoadFailure } from "../../ui/feedback/load-failure.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";
import { showError, showToast } from "../../ui/feedback/toast.tsx";

/** How much of its limits the account uses, and how to make room. */
export function StorageUse() {
  const { storage } = useServices();
  const use = useQuery({ queryKey: storageKey, queryFn: () => storage.use() });
  if (use.isLoadingError) return <LoadFailure error={use.error} onRetry={() => void use.refetch()} />;
  if (use.data === undefined) return <div role="status" aria-label="Loading the storage" className="skeleton h-36" />;
  return (
    <>
      {use.data
        .filter((one) => one.used >= one.most * storageLimits.near)
        .map((one) => (
          <Notice
            key={one.kind}
            tone={one.used >= one.most ? "danger" : "warning"}
            title={`${kinds[one.kind].title}: ${one.used >= one.most ? "full" : "nearly full"}`}
          >
            {kinds[one.kind].room} Or ask whoever runs this studio for more.
          </Notice>
        ))}
      <ul aria-label="Storage" className="flex flex-col gap-3">
        {(Object.keys(kinds) as Use["kind"][]).flatMap((kind) =>
          use.data.filter((one) => one.kind === kind).map((one) => <Meter key={kind} use={one} />),
        )}
      </ul>
      <PurgeDeleted />
    </>
  );
}

const kinds: Record<Use["kind"], { title: string; room: string; bytes: boolean }> = {
  bytes: { title: "Stored data", room: "Delete runs, documents or workflows.", bytes: true },
  events: { title: "Steps of runs", room: "Delete runs, or keep them for fewer days.", bytes: false },
  rows: { title: "Entries", room: "Delete runs, versions, conversations or workflows.", bytes: false },
  documents: { title: "Documents", room: "Delete documents of collections.", bytes: false },
  uploads: { title: "Uploaded documents", room: "Delete documents of collections.", bytes: true },
};

function Meter({ use: { kind, used, most } }: { use: Use }) {
  const { title, bytes } = kinds[kind];
  const words = (amount: number) => (bytes ? formatBytes(amount) : amount.toLocaleString("en"));
  const share = most === 0 ? 1 : Math.min(1, used / most);
  return (
    <li className="flex flex-col gap-1">
      <div className="flex justify-between gap-3">
        <span id={`storage-${kind}`}>{title}</span>
        <span className="text-muted numeric">
          {words(used)} of {words(most)}
        </span>
      </div>
      <div
        role="meter"
        aria-labelledby={`storage-${kind}`}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(share * 100)}
        aria-valuetext={`${words(used)} of ${words(most)}`}
        className="h-1.5 overflow-hidden rounded-full bg-hover"
      >
        <div
          className={classNames(
            "h-full rounded-full",
            share >= 1 ? "bg-danger" : share >= storageLimits.near ? "bg-warning" : "bg-line-strong",
          )}
          style={{ width: `${Math.max(share * 100, used > 0 ? 0.5 : 0)}%` }}
        />
      </div>
    </li>
  );
}

function PurgeDeleted() {
  const { storage } = useServices();
  const queries = useQueryClient();
  const purge = useMutation({
    mutationFn: () => storage.purge(),
    onSuccess: async (count) => {
      showToast(count === 0 ? "There was nothing to remove." : `Removed for good: ${count}.`);
      await queries.invalidateQueries({ queryKey: storageKey });
    },
    onError: (error) => showError(error),
  });
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <Button busy={purge.isPending} onClick={() => purge.mutate()}>
        Remove deleted items for good
      </Button>
      <p className="text-xs text-muted">Deleted workflows and documents take up room until then.</p>
    </div>
  );
}
