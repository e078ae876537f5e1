import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { Link, useSearchParams } from "wouter";
import { activityRange, ranges, readRange } from "../../features/activity/activity-range.ts";
import { ActivityView } from "../../features/activity/activity-view.tsx";
import { useServices } from "../../services/services-context.tsx";
import { ServiceError } from "../../services/services.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { ListSkeleton } from "../../ui/feedback/list-skeleton.tsx";
import { LoadFailure } from "../../ui/feedback/load-failure.tsx";
import { Select } from "../../ui/fields/select.tsx";
import { BackLink } from "./back-link.tsx";
import { PageFrame } from "./page-frame.tsx";

/** Hours and days are those of this place. */
const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();

/** Milliseconds until the figures are asked for again while the page is looked at. */
const refreshEvery = 15_000;

const rangeOptions = Object.entries(ranges).map(([value, { label }]) => ({ value, label }));

/** How a published workflow is doing on the server. The range stands in the address. */
export function ActivityPage({ workflowId }: { workflowId: string }) {
  const services = useServices();
  const [search, setSearch] = useSearchParams();
  const name = readRange(search.get("range"));
  const [now, setNow] = useState(() => new Date());
  const { range, starts } = useMemo(() => activityRange(name, now, timeZone), [name, now]);
  const found = useQuery({
    queryKey: ["activity", workflowId, name, range.from],
    queryFn: async () => {
      const activity = await services.activity.of(workflowId, range);
      // With the next hour or day the range moves on.
      const next = new Date();
      if (activityRange(name, next, timeZone).range.from !== range.from) setNow(next);
      return { activity, starts };
    },
    placeholderData: keepPreviousData,
    refetchInterval: refreshEvery,
    staleTime: 0,
  });
  const { data } = found;
  const isGone = data === undefined && found.error instanceof ServiceError && found.error.kind === "not-found";
  return (
    <PageFrame
      title={data === undefined ? "Activity" : `Activity of ${data.activity.name}`}
      above={<BackLink href="/runs?tab=published">Published workflows</BackLink>}
      lead={
        data !== undefined && (
          <>
            {data.activity.slug} · {data.activity.live === null ? "not live" : `live: v${data.activity.live}`} ·{" "}
            <Link href={`/w/${workflowId}`} className="underline">
              Open the workflow
            </Link>
          </>
        )
      }
      actions={
        !isGone && (
          <Select
            aria-label="Range"
            className="w-auto!"
            value={name}
            options={rangeOptions}
            onValueChange={(value) => {
              setNow(new Date());
              setSearch(value === "24h" ? {} : { range: value }, { replace: true });
            }}
          />
        )
      }
    >
      {found.isError && !isGone && <LoadFailure error={found.error} onRetry={() => void found.refetch()} />}
      {isGone && <NotPublished workflowId={workflowId} />}
      {found.isPending && <ListSkeleton label="Adding up what has happened" />}
      {data !== undefined && (
        <ActivityView
          workflowId={workflowId}
          activity={data.activity}
          bucket={data.starts.length === ranges["24h"].count ? "hour" : "day"}
          starts={data.starts}
        />
      )}
    </PageFrame>
  );
}

/** In place of figures that there cannot be. */
function NotPublished({ workflowId }: { workflowId: string }) {
  return (
    <EmptyState
      icon="rocket"
      title="This workflow is not published"
      action={
        <Button asChild>
          <Link href={`/w/${workflowId}`}>Open the workflow</Link>
        </Button>
      }
    >
      Activity counts the runs of published versions.
    </EmptyState>
  );
}
