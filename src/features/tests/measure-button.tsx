import { useStore } from "zustand";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { assistantStore, useAssistant } from "../../state/assistant/assistant-store.ts";
import { useServices } from "../../services/services-context.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { errorHint } from "../../ui/feedback/error-hint.ts";
import { Notice } from "../../ui/feedback/notice.tsx";
import { measureProposal } from "./measure-proposal.ts";
import { suiteRuns } from "./run-suite.ts";
import { useSuite } from "./use-suites.ts";

/**
 * Measures what the assistant proposes for a suite: both versions are run on it. Nothing where the proposal is not about a suite.
 */
export function MeasureButton({ disabled }: { disabled: boolean }) {
  const suiteId = useAssistant((state) => state.improving);
  return suiteId === null ? null : <Measure key={suiteId} suiteId={suiteId} disabled={disabled} />;
}

function Measure({ suiteId, disabled }: { suiteId: string; disabled: boolean }) {
  const services = useServices();
  const queries = useQueryClient();
  const suite = useSuite(suiteId);
  const measured = useAssistant((state) => state.measured);
  const running = useStore(suiteRuns, ({ runs }) => runs[suiteId]);
  const measure = useMutation({
    mutationFn: async () => {
      const { proposal } = assistantStore.getState();
      if (proposal === null) return;
      const comparison = await measureProposal(services, suiteId, proposal);
      // It holds for what was measured alone.
      if (comparison && assistantStore.getState().proposal === proposal)
        assistantStore.setState({
          measured: { isBetter: comparison.difference > 0 && comparison.worse.length === 0, words: comparison.words },
        });
    },
    onSettled: () => void queries.invalidateQueries({ queryKey: ["suites"] }),
  });
  const name = suite.data?.stored.name ?? "the suite";
  if (measured !== null)
    return (
      <div className="px-3 pb-2">
        <Notice
          tone={measured.isBetter ? "success" : "warning"}
          title={measured.isBetter ? "Measured: better" : "Measured: not better"}
        >
          {measured.words} {measured.isBetter ? "" : "It cannot be accepted; ask the assistant for another proposal."}
        </Notice>
      </div>
    );
  return (
    <div className="flex flex-col gap-2 px-3 pb-2">
      {measure.isError && (
        <Notice tone="danger" title={measure.error.message}>
          {errorHint(measure.error)}
        </Notice>
      )}
      <div className="flex flex-wrap items-center gap-2">
        <p className="min-w-40 flex-1 text-xs text-muted" role="status">
          {running
            ? `Trial ${running.results.length} of ${running.planned} on ${name}`
            : `Changes can be accepted only if they do better on ${name}. Both versions are run on it.`}
        </p>
        {running ? (
          <Button size="sm" icon="square" onClick={running.stop}>
            Stop
          </Button>
        ) : (
          <Button
            size="sm"
            icon="flask-conical"
            disabled={disabled}
            busy={measure.isPending}
            onClick={() => measure.mutate()}
          >
            Measure
          </Button>
        )}
      </div>
    </div>
  );
}
