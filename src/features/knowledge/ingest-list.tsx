import { memo } from "react";
import { Link } from "wouter";
import type { Ingest } from "../../state/knowledge/ingest/ingest.ts";
import { hasEnded, type IngestJob } from "../../state/knowledge/ingest/ingest-job.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { Icon, type IconName } from "../../ui/icons/icon.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";
import { IconButton } from "../../ui/buttons/icon-button.tsx";
import { Spinner } from "../../ui/feedback/spinner.tsx";
import { listedJobs } from "./listed-jobs.ts";
import { counted, endedWords, jobShare, jobText, sharedFailures, totalShare } from "./ingest-text.ts";

/** What is on its way into a collection, and what became of it. */
export function IngestList({ ingest, jobs }: { ingest: Ingest; jobs: readonly IngestJob[] }) {
  if (jobs.length === 0) return null;
  const open = jobs.filter((job) => !hasEnded(job));
  const ended = jobs.filter(hasEnded);
  const shared = sharedFailures(jobs);
  const listed = listedJobs(jobs);
  const areSeveral = jobs.length > 1;
  return (
    <section aria-labelledby="ingest-heading" className="rounded-lg border bg-surface">
      <header className="flex min-h-10 flex-wrap items-center gap-2 border-b py-1 pr-2 pl-4">
        <div className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-2">
          <h2 id="ingest-heading" className="font-medium" aria-live="polite">
            {open.length > 0 ? `Adding ${counted(jobs.length, "document")}` : endedWords(jobs)}
          </h2>
          {open.length > 0 && areSeveral && (
            <p className="text-xs text-muted numeric">
              {ended.length} of {jobs.length} done
            </p>
          )}
        </div>
        {open.length > 1 && (
          <Button size="sm" variant="ghost" onClick={() => open.forEach((job) => ingest.cancel(job.id))}>
            Stop all
          </Button>
        )}
        {ended.length > 0 && (
          <Button size="sm" variant="ghost" onClick={() => ended.forEach((job) => ingest.dismiss(job.id))}>
            Clear the list
          </Button>
        )}
        {open.length > 0 && areSeveral && (
          <div className="w-full pr-2 pb-1">
            <ProgressBar label="Progress of all documents" share={totalShare(jobs)} />
          </div>
        )}
      </header>
      {shared.map(({ message, hint, count }) => (
        <div key={message} className="border-b p-2">
          <Notice tone="danger" title={`${counted(count, "document")} failed: ${message}`}>
            {hint}
          </Notice>
        </div>
      ))}
      <ul aria-label="Documents being added" className="max-h-96 overflow-y-auto">
        {listed.map((job) => (
          <IngestRow
            key={job.id}
            job={job}
            ingest={ingest}
            told={shared.some(({ message }) => message === job.error?.message)}
            hasBar={!areSeveral}
          />
        ))}
      </ul>
      {listed.length < jobs.length && (
        <p className="border-t px-4 py-2 text-xs text-muted numeric">
          {counted(jobs.length - listed.length, "more document")} not listed
        </p>
      )}
    </section>
  );
}

const endMarks: Record<"done" | "failed" | "cancelled" | "skipped", { icon: IconName; colour: string }> = {
  done: { icon: "circle-check", colour: "text-success" },
  skipped: { icon: "info", colour: "text-muted" },
  failed: { icon: "circle-alert", colour: "text-danger" },
  cancelled: { icon: "circle-stop", colour: "text-muted" },
};

function StateMark({ job }: { job: IngestJob }) {
  const { status, outcome } = job;
  if (status !== "done" && status !== "failed" && status !== "cancelled") return <Spinner now label="Under way" />;
  const isSkipped = outcome?.type === "duplicate" || outcome?.type === "unchanged";
  const mark = endMarks[status === "done" && isSkipped ? "skipped" : status];
  return (
    <span className={mark.colour}>
      <Icon name={mark.icon} />
    </span>
  );
}

interface IngestRowProps {
  job: IngestJob;
  ingest: Ingest;
  /** Why it failed is said above, for all that failed alike. */
  told: boolean;
  /** It is alone: of several, one bar shows how far all are. */
  hasBar: boolean;
}

const IngestRow = memo(function IngestRow({ job, ingest, told, hasBar }: IngestRowProps) {
  const { id, collectionId, documentId, name, status, error } = job;
  const isOpen = !hasEnded(job);
  return (
    <li className="flex items-start gap-3 border-b px-4 py-2 last:border-b-0">
      <span className="mt-0.5">
        <StateMark job={job} />
      </span>
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium">
          {documentId === null ? (
            name
          ) : (
            <Link href={`/knowledge/${collectionId}/documents/${documentId}`} className="hover:underline">
              {name}
            </Link>
          )}
        </p>
        <p className={status === "failed" ? "text-danger wrap-anywhere" : "text-xs text-muted numeric"}>
          {told && status === "failed" ? "Failed" : jobText(job)}
        </p>
        {status === "failed" && error !== null && !told && (
          <p className="text-xs text-muted wrap-anywhere">{error.hint}</p>
        )}
        {isOpen && hasBar && <ProgressBar label={`Progress of ${name}`} share={jobShare(job)} />}
      </div>
      {isOpen && <IconButton size="sm" icon="x" label={`Stop adding ${name}`} onClick={() => ingest.cancel(id)} />}
      {(status === "failed" || status === "cancelled") && (
        <Button size="sm" onClick={() => ingest.retry(id)}>
          {status === "failed" ? "Try again" : "Resume"}
        </Button>
      )}
      {!isOpen && (
        <IconButton size="sm" icon="x" label={`Remove ${name} from the list`} onClick={() => ingest.dismiss(id)} />
      )}
    </li>
  );
});

/** A thin bar; without a share it only says that work goes on. */
function ProgressBar({ label, share }: { label: string; share: number | null }) {
  const percent = share === null ? undefined : Math.round(share * 100);
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      className="mt-1.5 h-1 overflow-hidden rounded-full bg-hover"
    >
      <div
        className="h-full rounded-full bg-accent transition-[width] duration-200"
        style={{ width: `${percent ?? 0}%` }}
      />
    </div>
  );
}
