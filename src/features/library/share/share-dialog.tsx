import { useRef, useState } from "react";
import { useEditor } from "../../../state/editor/editor-context.tsx";
import { Dialog } from "../../../ui/overlays/dialog.tsx";
import { DialogActions } from "../../../ui/overlays/dialog-actions.tsx";
import { GraphSketch } from "../../../ui/graph/graph-sketch.tsx";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { Switch } from "../../../ui/fields/switch.tsx";
import { saveFile } from "../save-file.ts";
import { sketchOf } from "../sketch-of.ts";
import { fileName } from "../workflow-file.ts";
import { pictureText } from "./picture-text.ts";
import { needWords, templateFile } from "./template-file.ts";

/** Saves the workflow as a template that others can take: what goes along, what is asked for, and its picture. */
export function ShareDialog({ onClose }: { onClose: () => void }) {
  const { document: store, registry } = useEditor();
  const [document] = useState(() => store.getState().document);
  const names = Object.keys(document.vars ?? {});
  const [asked, setAsked] = useState<ReadonlySet<string>>(() => new Set(names));
  const picture = useRef<HTMLDivElement>(null);
  const sketch = sketchOf(document, { notes: false });
  const { needs, removed } = templateFile(document, { asked, picture: undefined, registry });
  const words = needWords(needs);

  function save() {
    const svg = picture.current?.querySelector("svg");
    const drawn = svg ? pictureText(svg) : undefined;
    const { text } = templateFile(document, { asked, picture: drawn, registry });
    saveFile(fileName(document.name, "template.json"), text);
    onClose();
  }

  function ask(name: string, isAsked: boolean) {
    const next = new Set(asked);
    if (isAsked) next.add(name);
    else next.delete(name);
    setAsked(next);
  }

  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Share as a template"
      description="Saves a file. Put it on a web server, or add it to a list of templates, and others can open it from there."
      footer={
        <DialogActions onCancel={onClose} icon="download" onClick={save}>
          Save the file
        </DialogActions>
      }
    >
      <div className="flex flex-col gap-4">
        <div
          ref={picture}
          className="flex h-40 items-center justify-center rounded-lg border bg-canvas bg-[radial-gradient(var(--color-dot)_1px,transparent_1px)] bg-size-[12px_12px] p-3"
        >
          <GraphSketch sketch={sketch} label={`Picture of ${document.name}`} className="size-full" />
        </div>
        <p className="text-muted">
          Credentials, pinned outputs and the names of your collections and workflows stay here. Prompts, notes and
          addresses go along: look through them first.
        </p>
        {(document.description ?? "") === "" && (
          <Notice title="This workflow has no description.">
            Write one in “Settings and variables”, so that others know what it is for.
          </Notice>
        )}
        {removed.length > 0 && (
          <Notice tone="warning" title="Left out because it looks like a secret">
            {removed.slice(0, 5).join(", ")}
            {removed.length > 5 ? `, and ${removed.length - 5} more` : ""}
          </Notice>
        )}
        {names.length > 0 && (
          <fieldset className="flex flex-col gap-2">
            <legend className="mb-1 font-medium">Variables that others have to fill in</legend>
            {names.map((name) => (
              <label key={name} className="flex items-center justify-between gap-3">
                <span className="min-w-0 wrap-anywhere">{name}</span>
                <Switch
                  aria-label={`Ask for ${name}`}
                  checked={asked.has(name)}
                  onCheckedChange={(isAsked) => ask(name, isAsked)}
                />
              </label>
            ))}
          </fieldset>
        )}
        <div>
          <h3 className="font-medium">Others need</h3>
          <p className="text-muted">{words.length === 0 ? "Nothing" : words.join(", ")}</p>
        </div>
      </div>
    </Dialog>
  );
}
