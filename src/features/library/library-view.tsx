import { firstChars } from "../../engine/well-formed.ts";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import { knowledgeKey } from "../../state/knowledge/collection-list.ts";
import { assistantStore } from "../../state/assistant/assistant-store.ts";
import { newId } from "../../state/shared/new-id.ts";
import { useServices } from "../../services/services-context.tsx";
import { fileReader } from "../../state/file/file-bytes.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { LoadFailure } from "../../ui/feedback/load-failure.tsx";
import { showError, showToast } from "../../ui/feedback/toast.tsx";
import { useIncomingText } from "./import/use-incoming-text.ts";
import { DescribeAgent } from "./describe-agent.tsx";
import { prepareKnowledge } from "./prepare-knowledge.ts";
import { saveFile } from "./save-file.ts";
import { blank } from "./templates/blank.ts";
import type { WorkflowTemplate } from "./templates/index.ts";
import { templateDocument } from "./templates/template-document.ts";
import type { Library } from "./use-library.ts";
import { toWorkflowFile } from "./workflow-file.ts";
import { useNow } from "../../ui/text/use-now.ts";
import { WorkflowList } from "./workflow-list.tsx";
import { lazyPart } from "../../ui/feedback/lazy-part.tsx";
import { DialogOnItsWay } from "../../ui/feedback/on-its-way.tsx";
import { useDialogMutation } from "../../ui/overlays/use-dialog-mutation.ts";
import { TrashView } from "./trash-view.tsx";

/** `text` is a file or a paste that is read at once. */
export type LibraryDialog =
  | { kind: "new" }
  | { kind: "elsewhere" }
  | { kind: "import"; text?: string; fileName?: string | undefined }
  | null;

const loadTemplates = () => import("./templates-part.ts");
const TemplateCards = lazyPart(async () => (await loadTemplates()).TemplateCards);
const TemplateGallery = lazyPart(async () => (await loadTemplates()).TemplateGallery, DialogOnItsWay);
const ElsewhereGallery = lazyPart(async () => (await loadTemplates()).ElsewhereGallery, DialogOnItsWay);
const ImportDialog = lazyPart(async () => (await import("./import/import-dialog.tsx")).ImportDialog, DialogOnItsWay);

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
  const { workflows, files } = services;
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const { list, search, creation } = library;
  const now = useNow();
  const [inTrash, setInTrash] = useState(false);
  const isEmpty = list.first?.total === 0 && search.text === "" && search.settled === "" && search.tag === null;
  useIncomingText((text, fileName) => onDialog({ kind: "import", text, fileName }));

  const create = useDialogMutation({ ...creation, subject: dialog });
  const prepare = useDialogMutation({
    subject: dialog,
    /** Undefined when nobody wants it any more once its documents are there. */
    async save(template: WorkflowTemplate, isOpen) {
      if (template.knowledge === undefined) return templateDocument(template, newId());
      const collection = await prepareKnowledge(services, template.knowledge, isOpen);
      void queries.invalidateQueries({ queryKey: knowledgeKey });
      return collection === undefined ? undefined : templateDocument(template, newId(), collection);
    },
  });
  const [described, setDescribed] = useState(false);
  const describing = described && create.isPending;
  const creating = !describing && (prepare.isPending || create.isPending) ? (prepare.variables?.id ?? null) : null;
  const show = (id: string) => navigate(`/w/${id}`);

  const open = (document: WorkflowDocument) =>
    create.submit(document, {
      onDone({ id }) {
        onDialog(null);
        show(id);
      },
      onLeft: ({ id, name }) => showToast(`Created “${name}”`, { action: { label: "Open", onClick: () => show(id) } }),
    });
  const choose = (template: WorkflowTemplate) => {
    setDescribed(false);
    prepare.submit(template, { onDone: (document) => document && open(document) });
  };
  /** The assistant proposes it on an empty canvas. */
  const describe = (text: string) => {
    setDescribed(true);
    assistantStore.getState().ask(text);
    open({ ...blank(newId()), name: nameOf(text) });
  };

  async function exportOne(id: string) {
    try {
      const file = await toWorkflowFile((await workflows.get(id)).document, fileReader(files));
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
        <FirstSteps
          busy={creating}
          describing={describing}
          onDescribe={describe}
          onChoose={choose}
          onAll={() => onDialog({ kind: "new" })}
          onTrash={() => setInTrash(true)}
        />
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
          describing={describing}
          onClose={() => onDialog(null)}
          onElsewhere={() => onDialog({ kind: "elsewhere" })}
          onChoose={choose}
          onDescribe={describe}
        />
      )}
      {dialog?.kind === "elsewhere" && (
        <ElsewhereGallery onClose={() => onDialog(null)} onText={(text) => onDialog({ kind: "import", text })} />
      )}
      {dialog?.kind === "import" && (
        <ImportDialog
          {...(dialog.text === undefined ? {} : { text: dialog.text })}
          fileName={dialog.fileName}
          busy={create.isPending ? "import" : null}
          onClose={() => onDialog(null)}
          onImport={open}
        />
      )}
    </>
  );
}

const maxNameChars = 40;

/** The first words of a description, as the name of what is built from it. */
function nameOf(description: string): string {
  const first = description.split(/[.,;:!?\n]/)[0]?.trim() ?? "";
  const words = firstChars(first === "" ? description : first, maxNameChars + 1);
  if (words.length <= maxNameChars) return words;
  const whole = words
    .replace(/\s+\S*$/, "")
    .replace(/(?:\s+(?:an?|and|at|by|for|from|in|of|on|or|that|the|to|with))+$/i, "");
  return firstChars(whole, maxNameChars);
}

const examples = [
  "Answer questions about a web page",
  "Work out prices and discounts",
  "Remember what I tell it and answer briefly",
];

interface FirstStepsProps {
  /** Id of the template that is being created. */
  busy: string | null;
  /** What was described is being created. */
  describing: boolean;
  onDescribe: (text: string) => void;
  onChoose: (template: WorkflowTemplate) => void;
  onAll: () => void;
  onTrash: () => void;
}

/** What somebody without a workflow begins with: a description, or a template. */
function FirstSteps({ busy, describing, onDescribe, onChoose, onAll, onTrash }: FirstStepsProps) {
  return (
    <section aria-labelledby="first-workflow" className="flex flex-col gap-3">
      <div>
        <h2 id="first-workflow" className="text-lg font-semibold">
          Create your first workflow
        </h2>
        <p className="text-muted">
          Describe what your agent should do. The assistant proposes it on the canvas, and you decide.
        </p>
      </div>
      <div className="max-w-[1024px]">
        <DescribeAgent
          examples={examples}
          busy={describing}
          disabled={busy !== null || describing}
          onDescribe={onDescribe}
        />
      </div>
      <p className="mt-4 text-muted">
        <span className="font-medium text-ink">Or start from a template.</span> Open the first one, click Test and ask
        it a question. It runs without any key.
      </p>
      <TemplateCards busy={describing ? "" : busy} onChoose={onChoose} />
      <div className="flex gap-2">
        <Button icon="layers" onClick={onAll}>
          All templates
        </Button>
        <Button variant="ghost" icon="trash-2" onClick={onTrash}>
          Trash
        </Button>
      </div>
    </section>
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
