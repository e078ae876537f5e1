import { type FoundPassage, isRight, type RightPassage } from "../../../evaluation/retrieval/right-passage.ts";
import { Button } from "../../../ui/buttons/button.tsx";

interface PassagePickerProps {
  passages: readonly FoundPassage[];
  right: readonly RightPassage[];
  onMark: (passage: FoundPassage) => void;
}

/** Passages that were found, each to be marked as right. */
export function PassagePicker({ passages, right, onMark }: PassagePickerProps) {
  if (passages.length === 0) return <p className="text-sm text-muted">Nothing was found. Try other words.</p>;
  return (
    <ul aria-label="Found passages" className="divide-y rounded-md border">
      {passages.map((passage, at) => {
        const isMarked = right.some((each) => isRight(passage, each));
        return (
          <li key={at} className="flex items-start gap-3 px-3 py-2">
            <div className="min-w-0 flex-1">
              <p className="truncate text-xs text-muted">{passage.document}</p>
              <p className="line-clamp-4 text-sm wrap-anywhere whitespace-pre-line">{passage.content}</p>
            </div>
            <Button size="sm" disabled={isMarked} onClick={() => onMark(passage)}>
              {isMarked ? "Right" : "Mark as right"}
            </Button>
          </li>
        );
      })}
    </ul>
  );
}
