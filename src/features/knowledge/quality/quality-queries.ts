import { useMutation, useQuery } from "@tanstack/react-query";
import type { QuotedQuestion } from "../../../evaluation/retrieval/quoted-question.ts";
import { useServices } from "../../../services/services-context.tsx";
import { knowledgeKey } from "../../../state/knowledge/collection-list.ts";
import { showError, showToast } from "../../../ui/feedback/toast.tsx";
import { useRefreshKnowledge } from "../knowledge-queries.ts";

const key = (collectionId: string) => [...knowledgeKey, "quality", collectionId];

export function useQuestions(collectionId: string) {
  const { retrievalQuality } = useServices();
  return useQuery({
    queryKey: [...key(collectionId), "questions"],
    queryFn: () => retrievalQuality.questions(collectionId),
  });
}

/** The latest first. */
export function useMeasurements(collectionId: string) {
  const { retrievalQuality } = useServices();
  return useQuery({
    queryKey: [...key(collectionId), "measurements"],
    queryFn: () => retrievalQuality.measurements(collectionId),
  });
}

/** Deletes a question; Undo adds it again. */
export function useQuestionRemoval(collectionId: string) {
  const { retrievalQuality } = useServices();
  const refresh = useRefreshKnowledge();
  const back = useMutation({
    mutationFn: (question: QuotedQuestion) => retrievalQuality.addQuestions(collectionId, [question]),
    onError: (error) => showError(error),
    onSettled: refresh,
  });
  return useMutation({
    mutationFn: ({ id }: { id: string } & QuotedQuestion) => retrievalQuality.removeQuestion(id),
    onSuccess: (_done, { id, ...question }) =>
      void showToast("Deleted the question", {
        id: `deleted-${id}`,
        action: { label: "Undo", onClick: () => back.mutate(question) },
      }),
    onError: (error) => showError(error),
    onSettled: refresh,
  });
}
