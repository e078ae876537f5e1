import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { ConversationRetention } from "../../services/services.ts";
import { useServices } from "../../services/services-context.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { Field } from "../../ui/fields/field.tsx";
import { Input } from "../../ui/fields/input.tsx";
import { LoadFailure } from "../../ui/feedback/load-failure.tsx";
import { showError, showToast } from "../../ui/feedback/toast.tsx";
import { readLimit } from "./read-limit.ts";

const queryKey = ["conversation-retention"];

/** How long conversations are kept, of the account that is signed in. */
export function ConversationRetentionSettings() {
  const { memory } = useServices();
  const kept = useQuery({ queryKey, queryFn: () => memory.retention() });
  if (kept.isLoadingError) return <LoadFailure error={kept.error} onRetry={() => void kept.refetch()} />;
  if (kept.data === undefined) return <div role="status" aria-label="Loading the setting" className="skeleton h-20" />;
  return <RetentionForm key={JSON.stringify(kept.data)} kept={kept.data} />;
}

function RetentionForm({ kept }: { kept: ConversationRetention }) {
  const { memory } = useServices();
  const queries = useQueryClient();
  const stored = kept.keepDays === null ? "" : String(kept.keepDays);
  const [days, setDays] = useState(stored);
  const read = readLimit(days, 3_650);
  const save = useMutation({
    mutationFn: (retention: ConversationRetention) => memory.setRetention(retention),
    onSuccess: async () => {
      showToast("Saved. Conversations beyond it are deleted.");
      await queries.invalidateQueries({ queryKey });
      await queries.invalidateQueries({ queryKey: ["memory"] });
      await queries.invalidateQueries({ queryKey: ["chat-sessions"] });
    },
    onError: (error) => showError(error),
  });

  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (read.ok) save.mutate({ keepDays: read.limit });
      }}
    >
      <div className="grid gap-3 sm:grid-cols-2">
        <Field
          label="Delete conversations after days"
          help="Counted from the last message. Empty: none is deleted for its age."
          error={read.ok ? undefined : read.problem}
        >
          {(field) => (
            <Input {...field} inputMode="numeric" value={days} onChange={(event) => setDays(event.target.value)} />
          )}
        </Field>
      </div>
      <Button type="submit" className="self-start" busy={save.isPending} disabled={days === stored || !read.ok}>
        Save
      </Button>
    </form>
  );
}
