import { type FormEvent, useState } from "react";
import type { Rating } from "../doors/chat-api.ts";
import { Button } from "../ui/buttons/button.tsx";
import { IconButton } from "../ui/buttons/icon-button.tsx";
import { Textarea } from "../ui/fields/textarea.tsx";
import type { ChatSession, PageTurn } from "./chat-session.ts";

/** Copies an answer, and says whether it was good, with a comment if one wants to. */
export function AnswerFeedback({ session, turn }: { session: ChatSession; turn: PageTurn }) {
  const [comment, setComment] = useState<string | null>(null);
  const [copied, setCopied] = useState(false);
  if (turn.runId === null) return null;

  const press = (rating: Rating) => {
    const next = turn.rating === rating ? null : rating;
    void session.rate(turn.key, next, next === null ? "" : turn.comment);
    setComment(next === null ? null : turn.comment);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (comment !== null && turn.rating !== null) void session.rate(turn.key, turn.rating, comment.trim());
    setComment(null);
  };
  const copy = async () => {
    // A frame may not be allowed to.
    const done = await navigator.clipboard.writeText(turn.answer).then(
      () => true,
      () => false,
    );
    setCopied(done);
  };
  return (
    <div className="-ml-1.5 flex flex-col gap-2">
      <div className="flex items-center gap-0.5">
        <IconButton
          size="sm"
          icon={copied ? "check" : "copy"}
          label={copied ? "Copied" : "Copy the answer"}
          onClick={() => void copy()}
          onBlur={() => setCopied(false)}
        />
        <IconButton
          size="sm"
          icon="thumbs-up"
          label="Good answer"
          pressed={turn.rating === "up"}
          onClick={() => press("up")}
        />
        <IconButton
          size="sm"
          icon="thumbs-down"
          label="Bad answer"
          pressed={turn.rating === "down"}
          onClick={() => press("down")}
        />
        {turn.comment !== "" && comment === null && <span className="pl-1 text-xs text-muted">Comment sent</span>}
      </div>
      {comment !== null && (
        <form className="flex max-w-md flex-col gap-2 pl-1.5" onSubmit={submit}>
          <Textarea
            aria-label="Comment on the answer"
            placeholder={turn.rating === "down" ? "What was wrong with it? (optional)" : "What was good? (optional)"}
            rows={2}
            maxRows={8}
            maxLength={2000}
            autoFocus
            value={comment}
            onChange={(event) => setComment(event.target.value)}
          />
          <div className="flex justify-end gap-2">
            <Button size="sm" onClick={() => setComment(null)}>
              Close
            </Button>
            <Button size="sm" type="submit" variant="primary" disabled={comment.trim() === ""}>
              Send comment
            </Button>
          </div>
        </form>
      )}
    </div>
  );
}
