import { Link } from "wouter";
import type { OpenQuestion } from "../../services/services.ts";
import { formatMoment } from "../../ui/text/format-moment.ts";

/** When a run asked, until when it waits, and the way to it. */
export function AskedLine({ question }: { question: OpenQuestion }) {
  return (
    <p className="text-xs text-muted">
      Asked <Moment at={question.askedAt} />
      {question.expiresAt !== null && (
        <>
          {" · expires "}
          <Moment at={question.expiresAt} />
        </>
      )}
      {" · "}
      <Link href={`/runs/${question.runId}`} className="whitespace-nowrap text-accent underline underline-offset-2">
        Open the run
      </Link>
    </p>
  );
}

function Moment({ at }: { at: string }) {
  return <time dateTime={at}>{formatMoment(Date.parse(at))}</time>;
}
