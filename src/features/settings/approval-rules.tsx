import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { allowedPathWords } from "../../engine/trust/allowed-values.ts";
import { visibleName } from "../../engine/text/visible-name.ts";
import type { KeptValue } from "../../services/services.ts";
import { useServices } from "../../services/services-context.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { LoadFailure } from "../../ui/feedback/load-failure.tsx";
import { showError } from "../../ui/feedback/toast.tsx";

const queryKey = ["allowed-values"];

/** What is not asked about any more, and what was always approved and could be allowed. */
export function ApprovalRules() {
  const { allowedValues } = useServices();
  const queries = useQueryClient();
  const found = useQuery({ queryKey, queryFn: () => allowedValues.list() });
  const change = useMutation({
    mutationFn: ({ id, allows }: { id: string; allows: boolean }) =>
      allows ? allowedValues.allow(id) : allowedValues.remove(id),
    onSuccess: () => queries.invalidateQueries({ queryKey }),
    onError: (error) => showError(error),
  });
  if (found.isLoadingError) return <LoadFailure error={found.error} onRetry={() => void found.refetch()} />;
  if (found.data === undefined)
    return <div role="status" aria-label="Loading what you allowed" className="skeleton h-14" />;
  const allowed = found.data.filter(({ isAllowed }) => isAllowed);
  const suggested = found.data.filter(({ isAllowed }) => !isAllowed);
  const actions = { busy: change.isPending, onChange: (id: string, allows: boolean) => change.mutate({ id, allows }) };
  return (
    <>
      {allowed.length === 0 ? (
        <p className="text-muted">Nothing is always allowed. You can choose it when a call asks you.</p>
      ) : (
        <RuleList title="Always allowed" values={allowed} {...actions} />
      )}
      {suggested.length > 0 && (
        <RuleList title="Always approved, never changed: allow it?" values={suggested} {...actions} />
      )}
    </>
  );
}

interface RuleListProps {
  title: string;
  values: readonly KeptValue[];
  busy: boolean;
  onChange: (id: string, allows: boolean) => void;
}

function RuleList({ title, values, busy, onChange }: RuleListProps) {
  return (
    <section aria-label={title} className="flex flex-col gap-1.5">
      <h3 className="font-medium">{title}</h3>
      <ul className="overflow-clip rounded-lg border">
        {values.map(({ id, value, path, toolName, workflowName, isAllowed, approvals }) => {
          const name = visibleName(value);
          return (
            <li key={id} className="flex flex-wrap items-center gap-2 border-b px-3 py-2 last:border-b-0">
              <div className="min-w-40 flex-1 wrap-anywhere">
                <p>
                  <bdi className="font-medium">{name}</bdi> as{" "}
                  <span className="font-mono text-xs">{allowedPathWords(path)}</span> of{" "}
                  <span className="font-mono text-xs">{visibleName(toolName)}</span>
                </p>
                <p className="text-xs text-muted">
                  In {visibleName(workflowName)}
                  {!isAllowed && ` · approved ${approvals} times`}
                </p>
              </div>
              {isAllowed ? (
                <Button size="sm" disabled={busy} aria-label={`Revoke ${name}`} onClick={() => onChange(id, false)}>
                  Revoke
                </Button>
              ) : (
                <div className="flex gap-2">
                  <Button
                    size="sm"
                    disabled={busy}
                    aria-label={`Keep asking about ${name}`}
                    onClick={() => onChange(id, false)}
                  >
                    Keep asking
                  </Button>
                  <Button
                    size="sm"
                    variant="primary"
                    disabled={busy}
                    aria-label={`Always allow ${name}`}
                    onClick={() => onChange(id, true)}
                  >
                    Always allow
                  </Button>
                </div>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
