import { diffDocuments } from "../../../engine/document/diff-documents.ts";
import type { Bundle } from "../../../engine/publish/bundle.ts";
import { useEditor } from "../../../state/editor/editor-context.tsx";
import type { Publication } from "../../../services/services.ts";
import { GraphSketch } from "../../../ui/graph/graph-sketch.tsx";
import { LoadFailure } from "../../../ui/feedback/load-failure.tsx";
import { Spinner } from "../../../ui/feedback/spinner.tsx";
import { diffSketch } from "../diff-sketch.ts";
import { DiffView } from "../diff-view.tsx";
import { usePublishedDocument, usePublishedVersions } from "./use-publication.ts";

/** What would change for those who run it: against the live version, or else the one published last. */
export function PublishedChanges({ bundle, publication }: { bundle: Bundle; publication: Publication | null }) {
  const { registry } = useEditor();
  const { document } = bundle;
  const latest = usePublishedVersions().rows?.[0];
  const before = publication?.live ?? latest?.version ?? null;
  const published = usePublishedDocument(publication === null ? null : before);
  if (publication === null) {
    const sketch = diffSketch(diffDocuments(document, document), { before: document, after: document, registry });
    return (
      <>
        <p className="text-muted">The first version, as the workflow is now:</p>
        <div className="flex h-56 rounded-lg border bg-canvas p-2">
          <GraphSketch sketch={sketch} label="The graph" className="size-full" />
        </div>
      </>
    );
  }
  if (published.isLoadingError) return <LoadFailure error={published.error} onRetry={() => void published.refetch()} />;
  if (before === null || published.data === undefined) return <Spinner label="Comparing" />;
  const name =
    publication.live === null ? `version ${before}, which was published last` : `version ${before}, which is live`;
  return (
    <>
      <p className="text-muted numeric">Compared with {name}:</p>
      <DiffView before={published.data} after={document} registry={registry} />
    </>
  );
}
