import type { StoredQuestion } from "../../../services/retrieval-quality.ts";
import { IconButton } from "../../../ui/buttons/icon-button.tsx";

interface QuestionListProps {
  questions: readonly StoredQuestion[];
  onEdit: (question: StoredQuestion) => void;
  onRemove: (question: StoredQuestion) => void;
}

/** Questions with the passages that answer them. */
export function QuestionList({ questions, onEdit, onRemove }: QuestionListProps) {
  return (
    <ul aria-label="Questions" className="overflow-hidden rounded-lg border bg-surface">
      {questions.map((each) => (
        <li key={each.id} className="flex items-start gap-3 border-b px-3 py-2.5 last:border-b-0 sm:px-4">
          <div className="min-w-0 flex-1">
            <p className="font-medium wrap-anywhere">{each.question}</p>
            {each.passages.map(({ document, quote }, at) => (
              <p key={at} className="line-clamp-2 text-xs wrap-anywhere text-muted">
                {document}: “{quote}”
              </p>
            ))}
          </div>
          <span className="flex gap-1">
            <IconButton size="sm" icon="pencil" label={`Edit ${each.question}`} onClick={() => onEdit(each)} />
            <IconButton size="sm" icon="trash-2" label={`Delete ${each.question}`} onClick={() => onRemove(each)} />
          </span>
        </li>
      ))}
    </ul>
  );
}
