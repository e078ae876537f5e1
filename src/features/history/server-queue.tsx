import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { StoredRunStatus } from "../../services/services.ts";
import { useServices } from "../../services/services-context.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";

/** Milliseconds between two looks at the queue while the page is open. */
const lookEvery = 5_000;

interface ServerQueueProps {
  status: string;
  onStatus: (status: StoredRunStatus | "") => void;
}

/** What the server has to do: runs that are queued, under way or waiting, each a filter. Nothing where it has nothing. */
export function ServerQueue({ status, onStatus }: ServerQueueProps) {
  const { serverRuns } = useServices();
  const { data: queue } = useQuery({
    queryKey: ["server-queue"],
    queryFn: () => serverRuns.queue(),
    refetchInterval: lookEvery,
  });
  const queries = useQueryClient();
  const stands = JSON.stringify(queue);
  const stood = useRef(stands);
  useEffect(() => {
    const before = stood.current;
    stood.current = stands;
    // The list is asked for together with the first answer.
    if (before === undefined || before === stands) return;
    void queries.invalidateQueries({ queryKey: ["runs", "list"] });
  }, [queries, stands]);
  if (queue === undefined) return null;
  const counts: readonly (readonly [StoredRunStatus, string, number])[] = [
    ["queued", "queued", queue.queued],
    ["running", "running", queue.running],
    ["waiting", "waiting", queue.waiting],
  ];
  if (counts.every(([, , count]) => count === 0)) return null;
  return (
    <section aria-label="On the server" className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2 text-muted">
        <span>On the server:</span>
        {counts.map(([name, words, count]) => (
          <Button
            key={name}
            size="sm"
            variant={status === name ? "secondary" : "ghost"}
            aria-pressed={status === name}
            onClick={() => onStatus(status === name ? "" : name)}
          >
            {count} {words}
          </Button>
        ))}
        <span className="numeric">{queue.workers === 1 ? "1 worker" : `${queue.workers} workers`}</span>
      </div>
      {queue.workers === 0 && (
        <Notice tone="warning" title="No worker is running">
          Queued runs start as soon as there is one. Start the studio with <code>npm start</code>, without{" "}
          <code>--workers 0</code>, or start a worker with <code>npm run worker</code>.
        </Notice>
      )}
    </section>
  );
}
