import { useQueryClient } from "@tanstack/react-query";
import { type DragEvent, useEffect, useRef, useState } from "react";
import { newId } from "../../../browser/new-id.ts";
import { useServices } from "../../../services/services-context.tsx";
import { Button } from "../../../ui/button.tsx";
import { classNames } from "../../../ui/class-names.ts";
import { Icon } from "../../../ui/icon.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { showError, showToast } from "../../../ui/toast.tsx";
import { droppedFiles, mostFiles, workflowFiles } from "./dropped-files.ts";
import { PasteText } from "./paste-text.tsx";
import { ReadFiles } from "./read-files.tsx";
import { type ReadFile, readFile, takeImports } from "./take-imports.ts";
import { useOwnThings } from "./use-own-things.ts";

type Work = { kind: "idle" } | { kind: "reading" | "storing"; done: number; all: number };

/** Takes files, a folder or a paste, shows what each holds, and imports all of it when the person agrees. */
export function ImportMany() {
  const { workflows } = useServices();
  const queries = useQueryClient();
  const things = useOwnThings();
  const [read, setRead] = useState<readonly ReadFile[]>([]);
  const [others, setOthers] = useState(0);
  const [work, setWork] = useState<Work>({ kind: "idle" });
  const stop = useRef<AbortController | null>(null);
  useEffect(() => () => stop.current?.abort(), []);

  async function take(given: readonly File[]) {
    const own = things.data?.own ?? (await things.refetch()).data?.own;
    if (own === undefined)
      return showError(things.error ?? new Error("Your credentials, collections and workflows cannot be listed."));
    const { files, others: left } = workflowFiles(given);
    const wanted = files.slice(0, mostFiles);
    stop.current = new AbortController();
    const { signal } = stop.current;
    setOthers(left + files.length - wanted.length);
    const results: ReadFile[] = [];
    for (const [index, file] of wanted.entries()) {
      if (signal.aborted) break;
      setWork({ kind: "reading", done: index, all: wanted.length });
      results.push(await readFile(file, own, newId));
      // The page stays usable between large files.
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    setRead(results);
    setWork({ kind: "idle" });
    if (wanted.length === 0) showToast("None of these files can contain a workflow", {}, "warning");
  }

  async function store() {
    const documents = read.flatMap((file) => file.workflows.map(({ document }) => document));
    stop.current = new AbortController();
    setWork({ kind: "storing", done: 0, all: documents.length });
    const { made, left, failure } = await takeImports(workflows, documents, {
      names: things.data?.names ?? [],
      newId,
      signal: stop.current.signal,
      onProgress: (done) => setWork({ kind: "storing", done, all: documents.length }),
    });
    setWork({ kind: "idle" });
    // What was not stored can be tried again.
    const remaining = new Set(left);
    setRead(
      read.flatMap((file) => {
        const rest = file.workflows.filter(({ document }) => remaining.has(document));
        return rest.length > 0 ? [{ ...file, workflows: rest }] : [];
      }),
    );
    setOthers(0);
    void queries.invalidateQueries({ queryKey: ["workflows"] });
    void things.refetch();
    if (failure !== undefined) showError(failure);
    if (made.length > 0)
      showToast(made.length === 1 ? `Imported “${made[0]?.name}”` : `Imported ${made.length} workflows`);
  }

  return (
    <section aria-label="Import" className="flex flex-col gap-3">
      <Source disabled={work.kind !== "idle"} onFiles={(files) => void take(files)} />
      {work.kind !== "idle" && (
        <Notice
          title={`${work.kind === "reading" ? "Reading" : "Importing"} ${work.done + 1} of ${work.all}`}
          action={
            <Button size="sm" onClick={() => stop.current?.abort()}>
              Stop
            </Button>
          }
        />
      )}
      {work.kind === "idle" && read.length > 0 && (
        <ReadFiles files={read} others={others} onCancel={() => setRead([])} onImport={() => void store()} />
      )}
    </section>
  );
}

function Source({ disabled, onFiles }: { disabled: boolean; onFiles: (files: readonly File[]) => void }) {
  const [hovered, setHovered] = useState(false);
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);

  function chosen(input: HTMLInputElement) {
    onFiles([...(input.files ?? [])]);
    input.value = "";
  }

  function drop(event: DragEvent) {
    event.preventDefault();
    setHovered(false);
    if (!disabled) void droppedFiles(event.dataTransfer).then(onFiles, showError);
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
        <Button icon="upload" disabled={disabled} onClick={() => files.current?.click()}>
          Choose files
        </Button>
        <Button className="max-sm:hidden" disabled={disabled} onClick={() => folder.current?.click()}>
          Choose a folder
        </Button>
      </div>
      <input
        ref={files}
        type="file"
        multiple
        className="hidden"
        aria-label="Workflow files"
        onChange={(event) => chosen(event.target)}
      />
      <input
        ref={folder}
        type="file"
        multiple
        {...{ webkitdirectory: "" }}
        className="hidden"
        aria-label="Folder of workflows"
        onChange={(event) => chosen(event.target)}
      />
      <PasteText rows={1} disabled={disabled} onText={(text) => onFiles([new File([text], "Pasted text.txt")])} />
    </div>
  );
}
