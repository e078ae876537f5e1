import { useEffect, useRef, useState } from "react";
import { RunError } from "../../../engine/errors.ts";
import { estimateTokens } from "../../../engine/model/estimate-tokens.ts";
import type { CollectionSummary } from "../../../services/knowledge.ts";
import type { StoredQuestion } from "../../../services/retrieval-quality.ts";
import { ServiceError } from "../../../services/services.ts";
import { useServices } from "../../../services/services-context.tsx";
import { Button } from "../../../ui/buttons/button.tsx";
import { LoadFailure } from "../../../ui/feedback/load-failure.tsx";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { counted } from "../ingest-text.ts";
import { costsNothing, costText } from "../embedding-cost.ts";
import { useRefreshKnowledge } from "../knowledge-queries.ts";
import { RerankChoice, rerankProblems, rerankSettings, typedNoRerank } from "../rerank-choice.tsx";
import { measureQuality } from "./measure-quality.ts";
import { MeasurementView } from "./measurement-view.tsx";
import { useMeasurements } from "./quality-queries.ts";
import { requestsText } from "./quality-text.ts";

/** Fewer tell little. */
const fewQuestions = 20;

type Work = { type: "idle" } | { type: "busy"; done: number; of: number } | { type: "failed"; error: Error };

/** Measures how well each way to search answers the questions, and shows what was found. */
export function MeasureSection(props: { collection: CollectionSummary; questions: readonly StoredQuestion[] }) {
  const { collection, questions } = props;
  const services = useServices();
  const refresh = useRefreshKnowledge();
  const measurements = useMeasurements(collection.id);
  const [typed, setTyped] = useState(typedNoRerank);
  const [tried, setTried] = useState(false);
  const [work, setWork] = useState<Work>({ type: "idle" });
  const working = useRef<AbortController>(null);
  useEffect(() => () => working.current?.abort(), []);
  const rerank = rerankSettings(typed);
  const tokens = questions.reduce((sum, { question }) => sum + estimateTokens(question), 0);

  const measure = async () => {
    setTried(true);
    if (Object.keys(rerankProblems(typed)).length > 0) return;
    const controller = new AbortController();
    working.current = controller;
    const { signal } = controller;
    setWork({ type: "busy", done: 0, of: 0 });
    try {
      const onProgress = (done: number, of: number) => setWork({ type: "busy", done, of });
      const result = await measureQuality(services, { collection, questions, rerank, signal, onProgress });
      await services.retrievalQuality.keepMeasurement(collection.id, result);
      await refresh();
      setWork({ type: "idle" });
    } catch (error) {
      if (signal.aborted) setWork({ type: "idle" });
      else setWork({ type: "failed", error: error instanceof Error ? error : new Error(String(error)) });
    }
  };

  return (
    <section aria-label="Measurement" className="flex flex-col gap-4">
      <div className="flex flex-col gap-3">
        <RerankChoice value={typed} tried={tried} onChange={setTyped} />
        <div className="flex flex-wrap items-center gap-3">
          {work.type === "busy" ? (
            <Button icon="square" onClick={() => working.current?.abort()}>
              Stop
            </Button>
          ) : (
            <Button variant="primary" onClick={() => void measure()}>
              Measure with {counted(questions.length, "question")}
            </Button>
          )}
          <p role="status" className="text-xs text-muted numeric">
            {work.type === "busy"
              ? work.of === 0
                ? "Embedding the questions"
                : `${work.done} of ${work.of} searches`
              : `${requestsText(collection, questions.length, rerank)}${costsNothing(collection.embedding) ? "" : ` ${costText(collection.embedding, tokens)}`}`}
          </p>
        </div>
        {questions.length < fewQuestions && (
          <p className="text-xs text-muted">With fewer than {fewQuestions} questions, only large differences show.</p>
        )}
      </div>
      {work.type === "failed" && (
        <Notice tone="danger" title={work.error.message}>
          {hintOf(work.error)}
        </Notice>
      )}
      {measurements.isLoadingError && (
        <LoadFailure error={measurements.error} onRetry={() => void measurements.refetch()} />
      )}
      {measurements.data !== undefined && measurements.data.length > 0 && (
        <MeasurementView collection={collection} measurements={measurements.data} />
      )}
    </section>
  );
}

function hintOf(error: Error): string {
  if (error instanceof RunError) return error.data.hint ?? "";
  return error instanceof ServiceError ? error.hint : "Try again.";
}
