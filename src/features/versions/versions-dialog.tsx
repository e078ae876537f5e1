import { useState } from "react";
import { Button } from "../../ui/buttons/button.tsx";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { Input } from "../../ui/fields/input.tsx";
import { LoadFailure } from "../../ui/feedback/load-failure.tsx";
import { MasterDetail } from "../../ui/layout/master-detail.tsx";
import { Spinner } from "../../ui/feedback/spinner.tsx";
import { useVersions, type Versions } from "./use-versions.ts";
import { VersionDetail } from "./version-detail.tsx";
import { VersionList } from "./version-list.tsx";

/** Keeps the workflow as it is now, under a name. */
function KeepForm({ versions }: { versions: Versions }) {
  const [name, setName] = useState("");
  const trimmed = name.trim();
  return (
    <form
      className="flex gap-2 border-b p-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (trimmed !== "") versions.keep.submit(trimmed, { onDone: () => setName("") });
      }}
    >
      <Input
        aria-label="Name for the current state"
        placeholder="Name the current state"
        value={name}
        maxLength={200}
        onChange={(event) => setName(event.target.value)}
      />
      <Button type="submit" busy={versions.keep.isPending} disabled={trimmed === ""}>
        Keep
      </Button>
    </form>
  );
}

function Content({ versions, onClose }: { versions: Versions; onClose: () => void }) {
  const [chosenId, setChosenId] = useState<string | null>(null);
  const { list } = versions;
  if (list.isPending) {
    return (
      <div className="flex h-full items-center justify-center">
        <Spinner label="Loading the versions" />
      </div>
    );
  }
  if (list.isLoadingError) {
    return (
      <div className="p-4">
        <LoadFailure error={list.error} onRetry={() => void list.refetch()} />
      </div>
    );
  }
  const shown = list.rows ?? [];
  const picked = shown.find(({ id }) => id === chosenId);
  const chosen = picked ?? shown[0];
  return (
    <MasterDetail
      chosen={picked !== undefined}
      onBack={() => setChosenId(null)}
      list={
        <>
          <KeepForm versions={versions} />
          {chosen === undefined ? (
            <EmptyState icon="history" title="No version yet">
              While you edit, the state is kept every ten minutes. Name one to keep it for good.
            </EmptyState>
          ) : (
            <VersionList
              versions={shown}
              chosen={chosen.id}
              onChoose={setChosenId}
              busy={list.isFetchingNextPage}
              onMore={list.hasNextPage ? () => void list.fetchNextPage() : undefined}
            />
          )}
        </>
      }
      detail={chosen && <VersionDetail key={chosen.id} version={chosen} versions={versions} onRestored={onClose} />}
    />
  );
}

/** The history of the open workflow's document: compare with now, restore, name, delete. */
export function VersionsDialog({ onClose }: { onClose: () => void }) {
  const versions = useVersions();
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="xl"
      title="Version history"
      description="Kept every ten minutes of editing, and before a restore or an import. The last hundred stay; named ones until you delete them."
    >
      <div className="-mx-5 -mb-5 h-[min(64dvh,560px)] border-t">
        <Content versions={versions} onClose={onClose} />
      </div>
    </Dialog>
  );
}
