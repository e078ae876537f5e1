import { useState } from "react";
import { useDocumentStore, useEditor } from "../../state/editor/editor-context.tsx";
import type { VersionSummary } from "../../services/services.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { IconButton } from "../../ui/buttons/icon-button.tsx";
import { LoadFailure } from "../../ui/feedback/load-failure.tsx";
import { Menu } from "../../ui/overlays/menu.tsx";
import { NameInput } from "../../ui/fields/name-input.tsx";
import { Spinner } from "../../ui/feedback/spinner.tsx";
import { DiffView } from "./diff-view.tsx";
import { RememberedSuites, useEarlierSuites } from "./remembered-suites.tsx";
import { useVersionDocument, type Versions } from "./use-versions.ts";
import { versionLine, versionTitle } from "./version-text.ts";

/** One version: what has changed since, and what can be done with it. */
export function VersionDetail({
  version,
  versions,
  onRestored,
}: {
  version: VersionSummary;
  versions: Versions;
  onRestored: () => void;
}) {
  const [naming, setNaming] = useState(false);
  const [withSuites, setWithSuites] = useState(false);
  const earlier = useEarlierSuites(version.suites);
  const title = versionTitle(version);
  return (
    <div className="flex flex-col gap-3 p-4">
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          {naming ? (
            <NameInput
              label={`Name of the version ${title}`}
              value={version.name ?? ""}
              onDone={(name) => {
                setNaming(false);
                if (name !== null) versions.rename.mutate({ id: version.id, name });
              }}
            />
          ) : (
            <h3 className="numeric text-base font-semibold wrap-anywhere">{title}</h3>
          )}
          <p className="text-muted">{versionLine(version)}. What changed since then:</p>
        </div>
        <Button
          size="sm"
          variant="primary"
          icon="rotate-ccw"
          busy={versions.restore.isPending}
          onClick={() =>
            versions.restore.submit({ version, suites: withSuites ? earlier : [] }, { onDone: onRestored })
          }
        >
          Restore
        </Button>
        <Menu
          trigger={<IconButton size="sm" icon="ellipsis" label={`Actions for ${title}`} />}
          items={[
            { label: version.name === null ? "Name it" : "Rename", icon: "pencil", onSelect: () => setNaming(true) },
            "separator",
            { label: "Delete", icon: "trash-2", danger: true, onSelect: () => versions.remove.mutate(version) },
          ]}
        />
      </div>
      <RememberedSuites suites={version.suites} />
      {earlier.length > 0 && (
        <label className="flex items-center gap-2">
          <input
            type="checkbox"
            className="size-4 shrink-0 accent-accent"
            checked={withSuites}
            onChange={(event) => setWithSuites(event.target.checked)}
          />
          Restore its tests as they were, too
        </label>
      )}
      <Comparison versionId={version.id} />
    </div>
  );
}

function Comparison({ versionId }: { versionId: string }) {
  const { registry } = useEditor();
  const now = useDocumentStore((state) => state.document);
  const earlier = useVersionDocument(versionId);
  if (earlier.isPending) return <Spinner label="Opening the version" />;
  if (earlier.isLoadingError) {
    return <LoadFailure error={earlier.error} onRetry={() => void earlier.refetch()} />;
  }
  return <DiffView before={earlier.data} after={now} registry={registry} />;
}
