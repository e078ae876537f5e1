import { Link } from "wouter";
import { useDeferredValue, useMemo } from "react";
import { diffDocuments } from "../../../engine/document/diff-documents.ts";
import { publishedForm } from "../../../engine/publish/published-form.ts";
import { useDocumentStore, useEditor } from "../../../state/editor/editor-context.tsx";
import { countChanges } from "../describe-diff.ts";
import { usePublication, usePublishedDocument } from "./use-publication.ts";

/** Which version is live, with the way to its activity, and how far the workflow has gone on since; nothing while none is. */
export function PublishState() {
  const { workflowId } = useEditor();
  const { data: publication } = usePublication();
  const live = publication?.live ?? null;
  const published = usePublishedDocument(live);
  const now = useDeferredValue(useDocumentStore((state) => state.document));
  const changes = useMemo(
    () => (published.data === undefined ? undefined : countChanges(diffDocuments(published.data, publishedForm(now)))),
    [published.data, now],
  );
  if (live === null) return null;
  return (
    <p className="px-1 text-xs whitespace-nowrap text-muted numeric max-lg:hidden" role="status">
      <Link
        href={`/activity/${workflowId}`}
        title="See how its runs are doing"
        className="font-medium text-success hover:underline"
      >
        live: v{live}
      </Link>
      {changes !== undefined && changes > 0 && (
        <span className="max-xl:hidden">, {changes === 1 ? "1 change since" : `${changes} changes since`}</span>
      )}
    </p>
  );
}
