import type { Bundle } from "../../../engine/publish/bundle.ts";
import { useEditor } from "../../../stores/editor-context.tsx";
import type { Publication } from "../../../stores/services.ts";
import { LoadFailure } from "../../../ui/load-failure.tsx";
import { Spinner } from "../../../ui/spinner.tsx";
import { DiffView } from "../diff-view.tsx";
import { usePublishedDocument, usePublishedVersions } from "./use-publication.ts";

/** What would change for those who run it: against the live version, or else the one published last. */
export function PublishedChanges({ bundle, publication }: { bundle: Bundle; publication: Publication | null }) {
  const { registry } = useEditor();
  const latest = usePublishedVersions().rows?.[0];
  const before = publication?.live ?? latest?.version ?? null;
  const published = usePublishedDocument(publication === null ? null : before);
  if (publication === null) {
    return <p className="text-muted">This is the first version. It runs as the workflow is now.</p>;
  }
  if (published.isError) return <LoadFailure error={published.error} onRetry={() => void published.refetch()} />;
  if (before === null || published.data === undefined) return <Spinner label="Comparing" />;
  const name =
    publication.live === null ? `version ${before}, which was published last` : `version ${before}, which is live`;
  return (
    <>
      <p className="text-muted numeric">Compared with {name}:</p>
      <DiffView before={published.data} after={bundle.document} registry={registry} />
      {latest?.hash === bundle.hash && (
        <p className="text-muted numeric">
          Version {latest.version} is the same: no new one is made, and publishing points to it.
        </p>
      )}
    </>
  );
}
