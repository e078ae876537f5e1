import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { Link, useLocation } from "wouter";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import { knowledgeKey } from "../../stores/collection-list.ts";
import { assistantStore } from "../../stores/assistant/assistant-store.ts";
import { newId } from "../../browser/new-id.ts";
import { useServices } from "../../services/services-context.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { Icon } from "../../ui/icons/icon.tsx";
import { LoadFailure } from "../../ui/feedback/load-failure.tsx";
import { showError, showToast } from "../../ui/feedback/toast.tsx";
import { useIncomingText } from "./import/use-incoming-text.ts";
import { prepareKnowledge } from "./prepare-knowledge.ts";
import { saveFile } from "./save-file.ts";
import { blank } from "./templates/blank.ts";
import { TemplateCards } from "./template-cards.tsx";
import type { WorkflowTemplate } from "./templates/index.ts";
import { templateDocument } from "./templates/template-document.ts";
import type { Library } from "./use-library.ts";
import { toWorkflowFile } from "./workflow-file.ts";
import { useNow } from "../../ui/text/use-now.ts";
import { WorkflowList } from "./workflow-list.tsx";
import { lazyPart } from "../../ui/feedback/lazy-part.tsx";
import { useIsOpen } from "../../ui/overlays/use-is-open.ts";
import { TrashView } from "./trash-view.tsx";
import { TemplateGallery } from "./gallery/template-gallery.tsx";
import { ElsewhereGallery } from "./gallery/elsewhere-gallery.tsx";

/** `text` is a file or a paste that is read at once. */
export type LibraryDialog = { kind: "new" } | { kind: "elsewhere" } | { kind: "import"; text?: string } | null;

const ImportDialog = lazyPart(async () => (await import("./import/import-dialog.tsx")).ImportDialog);

/** The list of workflows, or, while there is none, the templates to begin with. */
export function LibraryView({
  library,
  dialog,
  onDialog,
}: {
  library: Library;
  dialog: LibraryDialog;
  onDialog: (dialog: LibraryDialog) => void;
}) {
  const services = useServices();
  const { workflows } = services;
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const [creating, setCreating] = useState<string | null>(null);
  const { list, search, create } = library;
  const now = useNow();
  const [inTrash, setInTrash] = useState(false);
  const isEmpty = list.first?.total === 0 && search.text === "" && search.settled === "" && search.tag === null;
  useIncomingText((text) => onDialog({ kind: "import", text }));

  const isOpen = useIsOpen();
  const shown = useRef(dialog);
  useEffect(() => {
    shown.current = dialog;
  }, [dialog]);
  const show = (id: string) => navigate(`/w/${id}`);

  function open(document: WorkflowDocument) {
    create.mutate(document, {
      onSuccess: (stored) => {
        // Closed meanwhile: the person goes on where they are.
        if (shown.current !== dialog)
          return showToast(`Created “${stored.name}”`, { action: { label: "Open", onClick: () => show(stored.id) } });
        onDialog(null);
        show(stored.id);
      },
      onSettled: () => setCreating(null),
    });
  }

  async function choose(template: WorkflowTemplate) {
    setCreating(template.id);
    // Who has left the page or closed the gallery before the documents are there does not want the workflow any more.
    const isWanted = () => isOpen() && (dialog === null || shown.current === dialog);
    try {
      const collection = template.knowledge && (await prepareKnowledge(services, template.knowledge, isWanted));
      if (template.knowledge) await queries.invalidateQueries({ queryKey: knowledgeKey });
      if (template.knowledge && collection === undefined) return setCreating(null);
      open(templateDocument(template, newId(), collection));
    } catch (error) {
      setCreating(null);
      showError(error);
    }
  }

  async function exportOne(id: string) {
    try {
      const file = toWorkflowFile((await workflows.get(id)).document);
      saveFile(file.name, file.text);
      if (file.warning) showToast(file.warning.message, { hint: file.warning.hint, durationMs: 20_000 }, "warning");
    } catch (error) {
      showError(error);
    }
  }

  return (
    <>
      {inTrash && <TrashView now={now} onBack={() => setInTrash(false)} />}
      {list.isPending && !inTrash && <Skeleton />}
      {list.isError && !inTrash && <LoadFailure error={list.error} onRetry={() => void list.refetch()} />}
      {isEmpty && !inTrash && (
        <section aria-labelledby="first-workflow" className="flex flex-col gap-3">
          <div>
            <h2 id="first-workflow" className="text-lg font-semibold">
              Create your first workflow
            </h2>
            <p className="text-muted">
              Open the first template, click Test and ask it a question. It runs without any key.
            </p>
          </div>
          <TemplateCards busy={creating} onChoose={(template) => void choose(template)} />
          <div className="flex gap-2">
            <Button icon="layers" onClick={() => onDialog({ kind: "new" })}>
              All templates
            </Button>
            <Button asChild variant="ghost">
              <Link href="/imports">
                <Icon name="list" />
                Imports
              </Link>
            </Button>
            <Button variant="ghost" icon="trash-2" onClick={() => setInTrash(true)}>
              Trash
            </Button>
          </div>
        </section>
      )}
      {list.data !== undefined && !isEmpty && !inTrash && (
        <WorkflowList
          library={library}
          now={now}
          onExport={(id) => void exportOne(id)}
          onTrash={() => setInTrash(true)}
        />
      )}
      {dialog?.kind === "new" && (
        <TemplateGallery
          busy={creating}
          onClose={() => onDialog(null)}
          onElsewhere={() => onDialog({ kind: "elsewhere" })}
          onChoose={(template) => void choose(template)}
          onDescribe={(text) => {
            assistantStore.getState().ask(text);
            open(blank(newId()));
          }}
        />
      )}
      {dialog?.kind === "elsewhere" && (
        <ElsewhereGallery onClose={() => onDialog(null)} onText={(text) => onDialog({ kind: "import", text })} />
      )}
      {dialog?.kind === "import" && (
        <ImportDialog
          {...(dialog.text === undefined ? {} : { text: dialog.text })}
          busy={create.isPending ? "import" : null}
          onClose={() => onDialog(null)}
          onImport={open}
        />
      )}
    </>
  );
}

function Skeleton() {
  return (
    <div
      role="status"
      aria-label="Loading workflows"
      className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,280px),1fr))] gap-3"
    >
      {["first", "second", "third"].map((card) => (
        <div key={card} className="skeleton h-56" />
      ))}
    </div>
  );
}
