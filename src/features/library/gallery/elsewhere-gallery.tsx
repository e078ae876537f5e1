import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { newId } from "../../../state/shared/new-id.ts";
import { ServiceError } from "../../../services/services.ts";
import { useServices } from "../../../services/services-context.tsx";
import { Button } from "../../../ui/buttons/button.tsx";
import { Dialog } from "../../../ui/overlays/dialog.tsx";
import { useDialogMutation } from "../../../ui/overlays/use-dialog-mutation.ts";
import { GraphSketch } from "../../../ui/graph/graph-sketch.tsx";
import { Icon } from "../../../ui/icons/icon.tsx";
import { Input } from "../../../ui/fields/input.tsx";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { readWorkflowFile } from "../import/read-workflow-file.ts";
import { sketchOf } from "../sketch-of.ts";
import { documentOf, fileAddress, needWords, readGallery, type SharedTemplate } from "../share/template-file.ts";

/** Names in larger graphs are too small to be read. */
const namedNodes = 12;

function problem(message: string): ServiceError {
  return new ServiceError(
    "invalid",
    message,
    "Check the address: it must lead to a list of templates or to a template file.",
  );
}

/** The workflow of a template as text, as any file from outside: its document, or what its own file holds. */
async function textOf(
  template: SharedTemplate,
  { index, read }: { index: string; read: (address: string) => Promise<string> },
): Promise<string> {
  if (template.document) return JSON.stringify(documentOf(template, newId));
  const address = fileAddress(index, template.file ?? "");
  if (address === undefined)
    throw problem("The template's file is on a different server from the list, so it was not downloaded.");
  const text = await read(address);
  const found = readGallery(text);
  const [first] = found.ok ? found.templates : [];
  return first?.document ? JSON.stringify(documentOf(first, newId)) : text;
}

/** Templates of somebody else, at an address that the person or the operator names; nothing is asked for before “Open”. */
export function ElsewhereGallery({ onClose, onText }: { onClose: () => void; onText: (text: string) => void }) {
  const { gallery } = useServices();
  const [address, setAddress] = useState(gallery.usual ?? "");
  const opened = useMutation({
    mutationFn: async (wanted: string) => {
      const { url, text } = await gallery.read(wanted);
      const read = readGallery(text);
      if (!read.ok) throw problem(read.problem);
      return { index: url, ...read };
    },
  });
  const take = useDialogMutation({
    showsError: true,
    save: (template: SharedTemplate) =>
      textOf(template, {
        index: opened.data?.index ?? "",
        read: async (wanted) => (await gallery.read(wanted)).text,
      }),
  });
  const error = opened.error ?? take.error;

  function open(event: FormEvent) {
    event.preventDefault();
    take.reset();
    if (address.trim() !== "") opened.mutate(address);
  }

  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="lg"
      title="Templates from elsewhere"
      description="A template you choose is imported like anybody else's file: you see what it would do before it runs."
    >
      <form onSubmit={open} className="flex gap-2">
        <Input
          type="url"
          aria-label="Address of a list of templates"
          placeholder="https://example.com/templates.json"
          autoFocus
          value={address}
          onChange={(event) => setAddress(event.target.value)}
        />
        <Button type="submit" busy={opened.isPending} disabled={address.trim() === ""}>
          Open
        </Button>
      </form>
      <div className="mt-4 flex flex-col gap-3">
        {error && (
          <Notice tone="danger" title={error.message}>
            {error instanceof ServiceError && error.hint}
          </Notice>
        )}
        {opened.data && (
          <>
            {opened.data.left > 0 && <p className="text-muted">{opened.data.left} more in the list cannot be shown.</p>}
            <ul aria-label="Templates" className="grid gap-3 sm:grid-cols-2">
              {opened.data.templates.map((template, index) => (
                // A list may name two alike.
                <Card
                  key={`${index} ${template.name}`}
                  template={template}
                  busy={take.isPending && take.variables === template}
                  onTake={() => take.submit(template, { onDone: onText })}
                />
              ))}
            </ul>
          </>
        )}
      </div>
    </Dialog>
  );
}

function Card({ template, busy, onTake }: { template: SharedTemplate; busy: boolean; onTake: () => void }) {
  const [sketch] = useState(() => {
    const read = template.document && readWorkflowFile(JSON.stringify(template.document), newId);
    return read?.ok ? sketchOf(read.document, { notes: false }) : undefined;
  });
  const needs = needWords(template.needs);
  return (
    <li className="flex flex-col overflow-hidden rounded-lg border bg-surface">
      <span className="flex h-32 items-center justify-center border-b bg-canvas bg-[radial-gradient(var(--color-dot)_1px,transparent_1px)] bg-size-[12px_12px] p-3 text-faint">
        {sketch && sketch.nodes.length > 0 ? (
          <GraphSketch sketch={sketch} small={sketch.nodes.length > namedNodes} className="size-full" />
        ) : (
          <Icon name="workflow" size={20} />
        )}
      </span>
      <div className="flex flex-1 flex-col gap-1 px-4 py-3">
        <h3 dir="auto" className="font-semibold wrap-anywhere">
          {template.name}
        </h3>
        <p dir="auto" className="line-clamp-3 text-muted">
          {template.description}
        </p>
        {needs.length > 0 && <p className="text-xs text-muted wrap-anywhere">Needs {needs.join(", ")}</p>}
        <div className="mt-auto pt-2">
          <Button size="sm" busy={busy} aria-label={`Look at ${template.name}`} onClick={onTake}>
            Look at it
          </Button>
        </div>
      </div>
    </li>
  );
}
