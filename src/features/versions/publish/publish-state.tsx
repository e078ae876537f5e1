import { useDeferredValue, useMemo } from "react";
import { diffDocuments } from "../../../engine/document/diff-documents.ts";
import { publishedForm } from "../../../engine/publish/published-form.ts";
import { useDocumentStore } from "../../../stores/editor-context.tsx";
import { countChanges } from "../describe-diff.ts";
import { usePublication, usePublishedDocument } from "./use-publication.ts";

/** Which version is live, and how far the workflow has gone on since; nothing while none is. */
export function PublishState() {
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
      <span className="font-medium text-success">live: v{live}</span>
      {changes !== undefined && changes > 0 && (
        <span className="max-xl:hidden">, {changes === 1 ? "1 change since" : `${changes} changes since`}</span>
      )}
    </p>
  );
}
