import { useQueryClient } from "@tanstack/react-query";
import { type DragEvent, useEffect, useState } from "react";
import { useStore } from "zustand";
import { newId } from "../../../state/shared/new-id.ts";
import { fileStorer } from "../../../state/file/file-bytes.ts";
import { useServices } from "../../../services/services-context.tsx";
import { Button } from "../../../ui/buttons/button.tsx";
import { classNames } from "../../../ui/theme/class-names.ts";
import { FilePicker } from "../../../ui/fields/file-picker.tsx";
import { Icon } from "../../../ui/icons/icon.tsx";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { showError, showToast } from "../../../ui/feedback/toast.tsx";
import { droppedFiles } from "./dropped-files.ts";
import { createImportList } from "./import-list.ts";
import { PasteText } from "./paste-text.tsx";
import { ReadFiles } from "./read-files.tsx";
import { ownThingsQuery, useOwnThings } from "./use-own-things.ts";

/** Takes files, a folder or a paste, shows what each holds, and imports all of it when the person agrees. */
export function ImportMany() {
  const services = useServices();
  const queries = useQueryClient();
  // Kept at hand, so that files are read as soon as they are given.
  const things = useOwnThings();
  const [list] = useState(() =>
    createImportList({
      workflows: services.workflows,
      storeFile: fileStorer(services.files),
      account: () => queries.ensureQueryData(ownThingsQuery(services)),
      newId,
    }),
  );
  const { files, others, work } = useStore(list.store);
  useEffect(() => () => list.stop(), [list]);

  async function take(given: Promise<readonly File[]>) {
    try {
      if ((await list.read(given)) === 0) showToast("None of these files can contain a workflow", {}, "warning");
    } catch (error) {
      showError(error);
    }
  }

  async function store() {
    try {
      const { made, left, failure } = await list.importAll();
      void queries.invalidateQueries({ queryKey: ["workflows"] });
      void things.refetch();
      if (failure !== undefined) showError(failure);
      if (made.length > 0) showToast(importedWords(made, left.length));
    } catch (error) {
      showError(error);
    }
  }

  return (
    <section aria-label="Import" className="flex flex-col gap-3">
      <Source disabled={work.kind !== "idle"} onFiles={(given) => void take(given)} />
      {work.kind !== "idle" && (
        <Notice
          title={`${work.kind === "reading" ? "Reading" : "Importing"} ${work.done + 1} of ${work.all}`}
          action={
            <Button size="sm" onClick={() => list.stop()}>
              Stop
            </Button>
          }
        />
      )}
      {work.kind === "idle" && files.length > 0 && (
        <ReadFiles files={files} others={others} onCancel={() => list.clear()} onImport={() => void store()} />
      )}
    </section>
  );
}

function importedWords(made: readonly { name: string }[], left: number): string {
  if (left > 0) return `Imported ${made.length} of ${made.length + left} workflows`;
  return made.length === 1 ? `Imported “${made[0]?.name}”` : `Imported ${made.length} workflows`;
}

function Source({ disabled, onFiles }: { disabled: boolean; onFiles: (files: Promise<readonly File[]>) => void }) {
  const [hovered, setHovered] = useState(false);
  const chosen = (files: File[]) => onFiles(Promise.resolve(files));

  function drop(event: DragEvent) {
    event.preventDefault();
    setHovered(false);
    if (!disabled) onFiles(droppedFiles(event.dataTransfer));
  }

  return (
    <div
      onDragOver={(event) => {
        event.preventDefault();
        setHovered(true);
      }}
      onDragLeave={() => setHovered(false)}
      onDrop={drop}
      className={classNames(
        "flex flex-col gap-3 rounded-lg border border-dashed p-4 transition-colors duration-100",
        hovered ? "border-accent bg-accent-soft" : "border-line-strong bg-surface",
      )}
    >
      <div className="flex flex-wrap items-center gap-2">
        <span className="text-muted max-sm:hidden">
          <Icon name="file-json" size={24} />
        </span>
        <p className="min-w-40 flex-1">
          <span className="font-medium">Drop files or folders here</span>{" "}
          <span className="text-muted">JSON, YAML or TypeScript, up to 1,000 at once</span>
        </p>
        <FilePicker
          label="Workflow files"
          multiple
          onFiles={chosen}
          trigger={
            <Button icon="upload" disabled={disabled}>
              Choose files
            </Button>
          }
        />
        <FilePicker
          label="Folder of workflows"
          folder
          onFiles={chosen}
          trigger={
            <Button className="max-sm:hidden" disabled={disabled}>
              Choose a folder
            </Button>
          }
        />
      </div>
      <PasteText
        rows={1}
        disabled={disabled}
        onText={(text) => onFiles(Promise.resolve([new File([text], "Pasted text.txt")]))}
      />
    </div>
  );
}
