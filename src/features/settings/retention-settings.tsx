import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Retention } from "../../services/services.ts";
import { useServices } from "../../services/services-context.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { Field } from "../../ui/fields/field.tsx";
import { Input } from "../../ui/fields/input.tsx";
import { LoadFailure } from "../../ui/feedback/load-failure.tsx";
import { showError, showToast } from "../../ui/feedback/toast.tsx";
import { readLimit } from "./read-limit.ts";

const queryKey = ["run-retention"];

/** How long runs are kept, of the account that is signed in. */
export function RetentionSettings() {
  const { runs } = useServices();
  const kept = useQuery({ queryKey, queryFn: () => runs.retention() });
  if (kept.isLoadingError) {
    return <LoadFailure error={kept.error} onRetry={() => void kept.refetch()} />;
  }
  if (kept.data === undefined) return <div role="status" aria-label="Loading the setting" className="skeleton h-20" />;
  return <RetentionForm key={JSON.stringify(kept.data)} kept={kept.data} />;
}

const asText = (limit: number | null) => (limit === null ? "" : String(limit));

function RetentionForm({ kept }: { kept: Retention }) {
  const { runs } = useServices();
  const queries = useQueryClient();
  const [days, setDays] = useState(asText(kept.keepDays));
  const [count, setCount] = useState(asText(kept.keepRuns));
  const [daysRead, countRead] = [readLimit(days, 3_650), readLimit(count, 1_000_000)];
  const save = useMutation({
    mutationFn: (retention: Retention) => runs.setRetention(retention),
    onSuccess: async () => {
      showToast("Saved. Runs beyond it are deleted.");
      await queries.invalidateQueries({ queryKey });
      await queries.invalidateQueries({ queryKey: ["runs"] });
    },
    onError: (error) => showError(error),
  });
  const changed = days !== asText(kept.keepDays) || count !== asText(kept.keepRuns);

  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (daysRead.ok && countRead.ok) save.mutate({ keepDays: daysRead.limit, keepRuns: countRead.limit });
      }}
    >
      <div className="grid gap-3 sm:grid-cols-2">
        <Field
          label="Delete runs after days"
          help="Empty: none is deleted for its age."
          error={daysRead.ok ? undefined : daysRead.problem}
        >
          {(field) => (
            <Input {...field} inputMode="numeric" value={days} onChange={(event) => setDays(event.target.value)} />
          )}
        </Field>
        <Field
          label="Keep at most this many runs"
          help="Empty: any number. The oldest go first."
          error={countRead.ok ? undefined : countRead.problem}
        >
          {(field) => (
            <Input {...field} inputMode="numeric" value={count} onChange={(event) => setCount(event.target.value)} />
          )}
        </Field>
      </div>
      <Button
        type="submit"
        className="self-start"
        busy={save.isPending}
        disabled={!changed || !daysRead.ok || !countRead.ok}
      >
        Save
      </Button>
    </form>
  );
}
