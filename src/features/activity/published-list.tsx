import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { useServices } from "../../services/services-context.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { ListSkeleton } from "../../ui/feedback/list-skeleton.tsx";
import { LoadFailure } from "../../ui/feedback/load-failure.tsx";
import { counted } from "./measures.ts";
import { UnmarkedVersions } from "./unmarked-versions.tsx";

const dayMs = 86_400_000;

/** Every published workflow with its last 24 hours; a click opens its activity. */
export function PublishedList() {
  const { activity } = useServices();
  const [from] = useState(() => new Date(Date.now() - dayMs).toISOString());
  const list = useQuery({ queryKey: ["activity", "overview", from], queryFn: () => activity.overview(from) });
  if (list.isPending) return <ListSkeleton label="Loading what is published" />;
  if (list.isLoadingError) return <LoadFailure error={list.error} onRetry={() => void list.refetch()} />;
  if (list.data.length === 0) {
    return (
      <EmptyState
        icon="rocket"
        title="Nothing is published yet"
        action={
          <Button asChild>
            <Link href="/">Go to your workflows</Link>
          </Button>
        }
      >
        Publish a workflow in its editor. Here you see how its runs on the server are doing.
      </EmptyState>
    );
  }
  return (
    <div className="flex flex-col gap-4">
      <UnmarkedVersions />
      <ul aria-label="Published workflows" className="rounded-lg border bg-surface">
        {list.data.map(({ workflowId, name, slug, live, runs, failed }) => (
          <li
            key={workflowId}
            className="relative flex flex-wrap items-baseline gap-x-3 border-b px-4 py-2.5 last:border-b-0 focus-within:bg-hover hover:bg-hover"
          >
            <Link
              href={`/activity/${workflowId}`}
              dir="auto"
              className="min-w-0 truncate font-medium outline-none after:absolute after:inset-0 focus-visible:after:rounded-md focus-visible:after:ring-2 focus-visible:after:ring-select focus-visible:after:ring-inset"
            >
              {name}
            </Link>
            <span className="mr-auto text-xs text-muted">
              {slug} · {live === null ? "not live" : `live: v${live}`}
            </span>
            <span className="text-xs text-muted numeric">
              {counted(runs, "run")} in 24 hours{failed > 0 && <span className="text-danger">, {failed} failed</span>}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
