import { useMemo } from "react";
import { citationsInText } from "../../nodes/tools/knowledge/citations.ts";
import { AnswerSources } from "../../stores/answer-sources.tsx";
import type { ChatPart } from "./chat-parts.ts";

/** What a remembered answer cites, as far as the memory kept the results of its searches. */
export function PastSources({ parts }: { parts: readonly ChatPart[] }) {
  const citations = useMemo(
    () => citationsInText(parts.flatMap((part) => (part.kind === "past-tool" && part.ok ? [part.output] : []))),
    [parts],
  );
  return <AnswerSources citations={citations} />;
}
