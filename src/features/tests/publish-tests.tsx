import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useStore } from "zustand";
import { Link } from "wouter";
import type { PublishTestsProps } from "../../state/publication/publish-tests.ts";
import { useServices } from "../../services/services-context.tsx";
import { Badge } from "../../ui/feedback/badge.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { errorHint } from "../../ui/feedback/error-hint.ts";
import { LoadFailure } from "../../ui/feedback/load-failure.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";
import { type PublishCheck, publishState, readPublishChecks } from "../../state/evaluation/publish-checks.ts";
import { runPublishChecks } from "./run-publish-checks.ts";
import { suiteRuns } from "./run-suite.ts";
import { statusLooks } from "./suite-text.ts";

/** Knows the tests of a version that is to be published, and runs them when it is asked to. */
export function PublishTests({ bundle, live, children }: PublishTestsProps) {
  const services = useServices();
  const queries = useQueryClient();
  const key = ["suites", "publishing", bundle.hash, live];
  const read = () => readPublishChecks(services, bundle, live);
  const checks = useQuery({ queryKey: key, queryFn: read, gcTime: 0, retry: false, refetchOnWindowFocus: false });
  const run = useMutation({
    mutationFn: async (again: readonly PublishCheck[]) => {
      const isDone = await runPublishChecks(services, again);
      const now = await read();
      queries.setQueryData(key, now);
      return isDone ? publishState(now) : "to-run";
    },
    onSettled: () => void queries.invalidateQueries({ queryKey: ["suites"] }),
  });
  if (checks.isError) {
    const section = <LoadFailure error={checks.error} onRetry={() => void checks.refetch()} />;
    return children({ state: "blocked", required: true, section, run: async () => "blocked" });
  }
  if (checks.data === undefined) {
    return children({ state: "checking", required: false, section: null, run: async () => "checking" });
  }
  const toRun = checks.data.filter(({ result }) => result === undefined);
  const failed = checks.data.filter(({ result }) => result !== undefined && result.status !== "passed");
  const section = checks.data.length > 0 && (
    <section aria-label="Tests" className="flex flex-col gap-2">
      <h3 className="font-medium">Tests</h3>
      <ul className="overflow-hidden rounded-md border">
        {checks.data.map((check) => (
          <CheckLine key={check.version.stored.id} check={check} />
        ))}
      </ul>
      {run.isError && (
        <Notice tone="danger" title={run.error.message}>
          {errorHint(run.error)}
        </Notice>
      )}
      {!run.isPending && toRun.length === 0 && failed.length > 0 && (
        <div className="flex flex-wrap items-center gap-2">
          <Button size="sm" icon="rotate-ccw" onClick={() => run.mutate(failed)}>
            Run again
          </Button>
          {failed.some(({ blocks }) => blocks) && (
            <p className="text-sm text-muted">Nothing is published until this passes.</p>
          )}
        </div>
      )}
    </section>
  );
  return children({
    state: run.isPending ? "running" : publishState(checks.data),
    required: toRun.some(({ blocks }) => blocks),
    section: section || null,
    run: () => run.mutateAsync(toRun),
  });
}

/** One suite: how it went, or how far it is. */
function CheckLine({ check: { version, blocks, result } }: { check: PublishCheck }) {
  const { id, name } = version.stored;
  const running = useStore(suiteRuns, ({ runs }) => runs[id]);
  const look = running ? undefined : result && statusLooks[result.status];
  return (
    <li className="flex items-start gap-2 border-b px-3 py-2 last:border-b-0">
      <div className="min-w-0 flex-1 wrap-anywhere">
        <Link href={`/tests/${id}`} className="font-medium hover:underline">
          {name}
        </Link>
        <p className="numeric text-xs text-muted" {...(running ? { role: "status" } : {})}>
          {running ? `${running.results.length} of up to ${running.planned} trials` : wordsOf(result, blocks)}
        </p>
      </div>
      {look && <Badge tone={look.tone}>{look.words}</Badge>}
      {running && (
        <Button size="sm" busy={running.stopping} onClick={running.stop}>
          Stop
        </Button>
      )}
    </li>
  );
}

function wordsOf(result: PublishCheck["result"], blocks: boolean): string {
  if (result === undefined) {
    return blocks ? "Not run on this version yet; it has to pass." : "Not run on this version yet.";
  }
  if (result.stopped?.by === "error") return result.stopped.message;
  const [only] = result.variants;
  const missed =
    only?.gate.checks.filter(({ status }) => status === "failed" || status === "too-little-evidence") ?? [];
  return missed.length > 0 ? missed.map(({ message }) => message).join(" ") : (only?.words ?? "");
}
