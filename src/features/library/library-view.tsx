import { useState } from "react";
import { useLocation } from "wouter";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import { newId } from "../../stores/new-id.ts";
import { useServices } from "../../stores/services-context.tsx";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { showError } from "../../ui/toast.tsx";
import { ImportDialog } from "./import-dialog.tsx";
import { NewWorkflowDialog } from "./new-workflow-dialog.tsx";
import { prepareKnowledge } from "./prepare-knowledge.ts";
import { saveFile } from "./save-file.ts";
import { TemplateCards } from "./template-cards.tsx";
import type { WorkflowTemplate } from "./templates/index.ts";
import { useLibrary } from "./use-library.ts";
import { toWorkflowFile } from "./workflow-file.ts";
import { WorkflowList } from "./workflow-list.tsx";

export type LibraryDialog = "new" | "import" | null;

/** The list of workflows, or, while there is none, the templates to begin with. */
export function LibraryView({
  dialog,
  onDialog,
}: {
  dialog: LibraryDialog;
  onDialog: (dialog: LibraryDialog) => void;
}) {
  const services = useServices();
  const { workflows } = services;
  const [, navigate] = useLocation();
  const library = useLibrary();
  const [creating, setCreating] = useState<string | null>(null);
  const { list, create } = library;

  function open(document: WorkflowDocument) {
    create.mutate(document, {
      onSuccess: (stored) => {
        onDialog(null);
        navigate(`/w/${stored.id}`);
      },
      onSettled: () => setCreating(null),
    });
  }

  async function choose(template: WorkflowTemplate) {
    setCreating(template.id);
    try {
      open(template.build(newId(), template.knowledge && (await prepareKnowledge(services, template.knowledge))));
    } catch (error) {
      setCreating(null);
      showError(error);
    }
  }

  async function exportOne(id: string) {
    try {
      const file = toWorkflowFile((await workflows.get(id)).document);
      saveFile(file.name, file.text);
    } catch (error) {
      showError(error);
    }
  }

  return (
    <>
      {list.isPending && <Skeleton />}
      {list.isError && (
        <Notice
          tone="danger"
          title={list.error.message}
          action={
            <Button size="sm" onClick={() => void list.refetch()}>
              Try again
            </Button>
          }
        >
          {"hint" in list.error ? String(list.error.hint) : null}
        </Notice>
      )}
      {list.data?.length === 0 && (
        <section aria-labelledby="first-workflow" className="flex flex-col gap-3">
          <div>
            <h2 id="first-workflow" className="text-lg font-semibold">
              Make your first workflow
            </h2>
            <p className="text-muted">
              Open the first template, click Test and ask it a question. It runs without any key.
            </p>
          </div>
          <TemplateCards busy={creating} onChoose={(template) => void choose(template)} />
        </section>
      )}
      {list.data !== undefined && list.data.length > 0 && (
        <WorkflowList workflows={list.data} library={library} onExport={(id) => void exportOne(id)} />
      )}
      <NewWorkflowDialog
        open={dialog === "new"}
        onOpenChange={(next) => onDialog(next ? "new" : null)}
        busy={creating}
        onChoose={(template) => void choose(template)}
      />
      <ImportDialog
        open={dialog === "import"}
        onOpenChange={(next) => onDialog(next ? "import" : null)}
        busy={create.isPending}
        onImport={open}
      />
    </>
  );
}

function Skeleton() {
  return (
    <div role="status" aria-label="Loading workflows" className="flex flex-col gap-2">
      {["first", "second", "third"].map((row) => (
        <div key={row} className="skeleton h-14" />
      ))}
    </div>
  );
}
