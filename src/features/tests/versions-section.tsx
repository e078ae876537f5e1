import { useState } from "react";
import type { RunnableSuite } from "../../state/evaluation/open-suite.ts";
import type { SuiteVersion } from "../../services/services.ts";
import { Badge } from "../../ui/feedback/badge.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { ChangeList } from "../../ui/data/change-list.tsx";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { formatMoment } from "../../ui/text/format-moment.ts";
import { IconButton } from "../../ui/buttons/icon-button.tsx";
import { ListSkeleton } from "../../ui/feedback/list-skeleton.tsx";
import { LoadFailure } from "../../ui/feedback/load-failure.tsx";
import { describeSuiteDiff } from "./suite-diff.ts";
import { useSuiteChanges, useSuiteContent, useSuiteRun, useSuiteVersions } from "./use-suites.ts";
import { caseCount } from "./suite-text.ts";

/** How the suite stood when it was run, or when its workflow was kept or published: what has changed since, and the way back. */
export function VersionsSection({ open }: { open: RunnableSuite }) {
  const versions = useSuiteVersions(open.stored.id);
  const [shown, setShown] = useState<number | null>(null);
  if (versions.isPending) return <ListSkeleton label="Loading the versions" />;
  if (versions.isLoadingError) return <LoadFailure error={versions.error} onRetry={() => void versions.refetch()} />;
  if (versions.data.length === 0) {
    return (
      <EmptyState icon="history" title="No version yet">
        The suite is kept as a version when it is run, and whenever its workflow is kept or published.
      </EmptyState>
    );
  }
  return (
    <ul aria-label="Versions" className="overflow-hidden rounded-lg border bg-surface">
      {versions.data.map((version) => (
        <VersionRow
          key={version.version}
          open={open}
          version={version}
          shown={shown === version.version}
          onToggle={() => setShown(shown === version.version ? null : version.version)}
        />
      ))}
    </ul>
  );
}

interface VersionRowProps {
  open: RunnableSuite;
  version: SuiteVersion;
  shown: boolean;
  onToggle(): void;
}

function VersionRow({ open, version: { version, revision, cases, createdAt }, shown, onToggle }: VersionRowProps) {
  const suiteId = open.stored.id;
  const { restoreVersion, removeVersion } = useSuiteChanges();
  const running = useSuiteRun(suiteId);
  const isNow = revision === open.stored.revision;
  return (
    <li className="border-b last:border-b-0">
      <div className="flex flex-wrap items-center gap-2 py-2 pr-2 pl-4">
        <div className="min-w-0 flex-[1_1_12rem]">
          <p className="flex items-center gap-2">
            <span className="numeric font-medium">Version {version}</span>
            {isNow && <Badge tone="success">Current</Badge>}
          </p>
          <p className="numeric text-xs text-muted">
            {formatMoment(Date.parse(createdAt))} · {caseCount(cases)}
          </p>
        </div>
        {!isNow && (
          <>
            <Button size="sm" aria-expanded={shown} icon={shown ? "chevron-down" : "chevron-right"} onClick={onToggle}>
              Changes since
            </Button>
            <Button
              size="sm"
              icon="rotate-ccw"
              disabled={running !== undefined}
              busy={restoreVersion.isPending}
              onClick={() => restoreVersion.mutate({ suiteId, version })}
            >
              Restore
            </Button>
          </>
        )}
        <IconButton
          icon="trash-2"
          label={`Delete version ${version}`}
          onClick={() => removeVersion.mutate({ suiteId, version })}
        />
      </div>
      {shown && !isNow && <ChangesSince open={open} version={version} />}
    </li>
  );
}

function ChangesSince({ open, version }: { open: RunnableSuite; version: number }) {
  const content = useSuiteContent(open.stored.id, version);
  if (content.isPending) return <ListSkeleton label="Opening the version" />;
  if (content.isLoadingError) return <LoadFailure error={content.error} onRetry={() => void content.refetch()} />;
  const { name, settings } = open.stored;
  const entries = describeSuiteDiff(content.data, { name, settings, cases: open.cases.map((one) => one.case) });
  return (
    <div className="border-t bg-canvas px-4 py-3 text-sm">
      {entries.length === 0 ? <p className="text-muted">Nothing differs.</p> : <ChangeList entries={entries} />}
    </div>
  );
}
