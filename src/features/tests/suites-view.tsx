import { Fragment } from "react";
import { Link } from "wouter";
import type { SuiteSummary } from "../../services/services.ts";
import { Badge } from "../../ui/feedback/badge.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { formatMoment } from "../../ui/text/format-moment.ts";
import { Icon } from "../../ui/icons/icon.tsx";
import { ListSkeleton } from "../../ui/feedback/list-skeleton.tsx";
import { LoadFailure } from "../../ui/feedback/load-failure.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";
import { NewSuiteDialog } from "./new-suite-dialog.tsx";
import { caseCount, statusLooks } from "./suite-text.ts";
import { useChangedSuites, useSuiteChanges, useSuites } from "./use-suites.ts";

interface SuitesViewProps {
  making: boolean;
  onMaking(making: boolean): void;
  onOpen(suiteId: string): void;
}

/** The account's suites. `making` opens the form for a new one. */
export function SuitesView({ making, onMaking, onOpen }: SuitesViewProps) {
  const suites = useSuites();
  return (
    <>
      {suites.isPending && <ListSkeleton label="Loading the suites" />}
      {suites.isError && <LoadFailure error={suites.error} onRetry={() => void suites.refetch()} />}
      {suites.data?.length === 0 && (
        <EmptyState
          icon="flask-conical"
          title="No tests yet"
          action={
            <Button variant="primary" icon="plus" onClick={() => onMaking(true)}>
              New suite
            </Button>
          }
        >
          A suite tries a workflow on many cases, several times each, and says how often it is right. Any run can become
          a case: open it and choose “Save as test case”.
        </EmptyState>
      )}
      <ChangedSuites />
      {suites.data !== undefined && suites.data.length > 0 && (
        <ul aria-label="Suites" className="overflow-hidden rounded-lg border bg-surface">
          {suites.data.map((suite) => (
            <SuiteLine key={suite.id} suite={suite} />
          ))}
        </ul>
      )}
      {making && <NewSuiteDialog onClose={() => onMaking(false)} onMade={onOpen} />}
    </>
  );
}

/** Names, once, the suites whose next result may differ although nobody changed them. */
function ChangedSuites() {
  const changed = useChangedSuites();
  const { settleUpdate } = useSuiteChanges();
  if (changed.data === undefined || changed.data.length === 0) return null;
  return (
    <div className="pb-4">
      <Notice
        tone="warning"
        title="These suites may turn out differently"
        action={
          <Button size="sm" busy={settleUpdate.isPending} onClick={() => settleUpdate.mutate()}>
            Got it
          </Button>
        }
      >
        <p>
          What a case expects is now compared with the answer, and a case that checks nothing no longer passes. It
          concerns{" "}
          {changed.data.map(({ id, name }, index) => (
            <Fragment key={id}>
              {index > 0 && ", "}
              <Link href={`/tests/${id}`} className="text-accent hover:underline">
                {name}
              </Link>
            </Fragment>
          ))}
          .
        </p>
      </Notice>
    </div>
  );
}

function SuiteLine({ suite }: { suite: SuiteSummary }) {
  const { id, name, workflowName, cases, lastStatus, lastAt } = suite;
  const look = lastStatus === null ? null : statusLooks[lastStatus];
  return (
    <li className="border-b last:border-b-0">
      <Link href={`/tests/${id}`} className="flex items-center gap-3 px-4 py-3 hover:bg-hover">
        <div className="min-w-0 flex-1">
          <p className="font-medium wrap-anywhere">{name}</p>
          <p className="numeric text-xs text-muted wrap-anywhere">
            {workflowName} · {caseCount(cases)}
            {lastAt !== null && ` · last run ${formatMoment(Date.parse(lastAt))}`}
          </p>
        </div>
        {look && <Badge tone={look.tone}>{look.words}</Badge>}
        <Icon name="chevron-right" />
      </Link>
    </li>
  );
}
