import { useQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import type { SharedParts } from "../../engine/run/share/shared-run.ts";
import { shareRun } from "../../engine/run/share/share-run.ts";
import { picturesMade, withPictures } from "../../engine/run/share/with-pictures.ts";
import { cardLine } from "../../features/canvas/card-line.ts";
import { ShareRunDialog } from "../../features/share-run/share-run-dialog.tsx";
import { nodeRegistry } from "../../nodes/index.ts";
import { SharedRunView } from "../../shared-run/shared-run-view.tsx";
import { fileReader } from "../../state/file/file-bytes.ts";
import { useServices } from "../../state/editor/editor-context.tsx";
import { LoadFailure } from "../../ui/feedback/load-failure.tsx";
import { DialogOnItsWay } from "../../ui/feedback/on-its-way.tsx";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import { loadRun, type StoredRun } from "./open-run.ts";

/** Shares a run that has ended, wherever one meets it. */
export function ShareStoredRun({ runId, onClose }: { runId: string; onClose: () => void }) {
  const services = useServices();
  const { data, error, refetch } = useQuery({
    queryKey: ["shared-run", runId],
    queryFn: () => loadRun(services, runId),
    structuralSharing: false,
  });
  if (data !== undefined) return <ShareRun stored={data} onClose={onClose} />;
  if (error === null) return <DialogOnItsWay />;
  return (
    <Dialog open onOpenChange={onClose} title="Share this run">
      <LoadFailure error={error} onRetry={() => void refetch()} />
    </Dialog>
  );
}

/** The dialog for a run that is at hand. */
export function ShareRun({ stored, onClose }: { stored: StoredRun; onClose: () => void }) {
  const services = useServices();
  const { data, error, refetch } = useQuery({
    queryKey: ["shared-pictures", stored.summary.id, stored.events.length],
    queryFn: async () => ({ ...stored, events: await withPictures(stored.events, fileReader(services.files)) }),
    structuralSharing: false,
    enabled: picturesMade(stored.events).length > 0,
  });
  if (picturesMade(stored.events).length === 0) return <ShareCopy stored={stored} onClose={onClose} />;
  if (data !== undefined) return <ShareCopy stored={data} onClose={onClose} />;
  if (error === null) return <DialogOnItsWay />;
  return (
    <Dialog open onOpenChange={onClose} title="Share this run">
      <LoadFailure error={error} onRetry={() => void refetch()} />
    </Dialog>
  );
}

function ShareCopy({ stored, onClose }: { stored: StoredRun; onClose: () => void }) {
  const copyFor = useCallback(
    (parts: SharedParts) => {
      const { summary, document, events } = stored;
      const recorded = { id: summary.id, workflowId: summary.workflowId, document, events };
      return shareRun(recorded, parts, nodeRegistry, (node) => cardLine(nodeRegistry, node));
    },
    [stored],
  );
  return (
    <ShareRunDialog
      runId={stored.summary.id}
      copyFor={copyFor}
      renderPreview={(shared) => <SharedRunView key={JSON.stringify(shared.parts)} shared={shared} />}
      onClose={onClose}
    />
  );
}
