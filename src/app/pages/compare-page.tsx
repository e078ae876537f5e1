import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useMemo } from "react";
import { useSearchParams } from "wouter";
import { type ComparedRun, CompareView } from "../../features/replay/compare-view.tsx";
import { useServices } from "../../services/services-context.tsx";
import { Spinner } from "../../ui/feedback/spinner.tsx";
import { BackLink } from "./back-link.tsx";
import { NoStoredRun } from "./no-stored-run.tsx";
import { loadRun, type StoredRun } from "./open-run.ts";
import { PageFrame } from "./page-frame.tsx";

function comparedRun({ summary, state, document }: StoredRun): ComparedRun {
  return {
    id: summary.id,
    name: document.name,
    state,
    titleOf: (nodeId) => document.nodes[nodeId]?.title ?? nodeId,
  };
}

/** Two stored runs side by side: `?left=…&right=…` are their ids. */
export function ComparePage() {
  const services = useServices();
  const [search] = useSearchParams();
  const ids = [search.get("left") ?? "", search.get("right") ?? ""] as const;
  const { data, error, refetch } = useQuery({
    queryKey: ["compare", ...ids],
    queryFn: () => Promise.all([loadRun(services, ids[0]), loadRun(services, ids[1])]),
    staleTime: Infinity,
    gcTime: 0,
  });
  // Lining up two long runs and drawing them is much at once; the page answers meanwhile.
  const loaded = useDeferredValue(data);
  const sides = useMemo(() => loaded?.map(comparedRun), [loaded]);
  const [left, right] = sides ?? [];
  if (error !== null) {
    return <NoStoredRun error={error} onRetry={() => void refetch()} />;
  }
  return (
    <PageFrame title="Compare runs" above={<BackLink href="/runs">Runs</BackLink>}>
      {left && right ? (
        <CompareView left={left} right={right} />
      ) : (
        <div className="flex justify-center p-8">
          <Spinner label="Opening the runs" />
        </div>
      )}
    </PageFrame>
  );
}
