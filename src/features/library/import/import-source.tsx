import { type DragEvent, useEffect, useEffectEvent, useState } from "react";
import { classNames } from "../../../ui/theme/class-names.ts";
import { FilePicker } from "../../../ui/fields/file-picker.tsx";
import { Icon } from "../../../ui/icons/icon.tsx";
import { takeText } from "../../../ui/text/take-text.ts";
import { PasteText } from "./paste-text.tsx";

/** Where a workflow comes from: a file that is chosen or dropped, or pasted text. */
export function ImportSource({ onText }: { onText: (text: string, fileName?: string) => void }) {
  const [hovered, setHovered] = useState(false);

  function drop(event: DragEvent) {
    event.preventDefault();
    setHovered(false);
    void takeText(event.dataTransfer.files[0], onText);
  }

  // Wherever in the dialog the focus is.
  const takePaste = useEffectEvent((event: ClipboardEvent) => {
    const file = event.clipboardData?.files[0];
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (event.defaultPrevented || (file === undefined && text.trim() === "")) return;
    event.preventDefault();
    if (file === undefined) onText(text);
    else void takeText(file, onText);
  });
  useEffect(() => {
    const take = (event: ClipboardEvent) => takePaste(event);
    window.addEventListener("paste", take);
    return () => window.removeEventListener("paste", take);
  }, []);

  return (
    <div className="flex flex-col gap-3">
      <FilePicker
        label="Workflow file"
        accept=".json,.yml,.yaml,.ts,.txt,application/json,application/yaml,text/plain"
        onFiles={([file]) => void takeText(file, onText)}
        trigger={
          <button
            type="button"
            onDragOver={(event) => {
              event.preventDefault();
              setHovered(true);
            }}
            onDragLeave={() => setHovered(false)}
            onDrop={drop}
            className={classNames(
              "flex flex-col items-center gap-1 rounded-lg border border-dashed px-4 py-8 text-muted transition-colors duration-100 hover:border-accent hover:text-ink",
              hovered ? "border-accent bg-accent-soft" : "border-line-strong",
            )}
          >
            <Icon name="file-json" size={24} />
            <span className="font-medium text-ink">Choose a file</span>
            <span>or drop it here: of this studio, n8n, Dify, Flowise, Langflow, the Agent Builder, or OpenAPI</span>
          </button>
        }
      />
      <PasteText rows={2} onText={onText} />
    </div>
  );
}
