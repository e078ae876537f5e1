import { useCallback, useDeferredValue, useMemo, useRef, useState } from "react";
import { completeTemplate } from "../../engine/template/complete.ts";
import type { TemplateEditorHandle } from "../../ui/code-editor/template-editor.tsx";
import type { ControlProps } from "../control-props.ts";
import { TextareaControl, TextControl } from "../text-control.tsx";
import { InsertData } from "./insert-data.tsx";
import { loaded, useTemplateEditorReady } from "./load-editor.ts";
import { useTemplateData } from "./template-data.tsx";
import { previewOf, TemplatePreview } from "./template-preview.tsx";

/** Places that are read by machines; what is written for people stands in the font of the page. */
const monoPlaces: ReadonlySet<string> = new Set(["url", "header", "json", "sql", "value"]);

/** A text that takes templates: an editor with completion, the result under it, and data to choose from. */
export function TemplateControl(props: ControlProps) {
  const { field, value, control, onChange } = props;
  const data = useTemplateData();
  const wrapper = useRef<HTMLDivElement>(null);
  const handle = useRef<TemplateEditorHandle>(null);
  const [cursor, setCursor] = useState<number>();
  const keepCursor = useCallback(() => {
    const active = document.activeElement;
    const isInput = active instanceof HTMLInputElement || active instanceof HTMLTextAreaElement;
    if (isInput && wrapper.current?.contains(active)) setCursor(active.selectionStart ?? active.value.length);
  }, []);
  const ready = useTemplateEditorReady(keepCursor);

  const stored = value ?? field.default;
  const text =
    typeof stored === "string" ? stored : stored === undefined || stored === null ? "" : JSON.stringify(stored);
  const late = useDeferredValue(text);
  const preview = useMemo(() => previewOf(late, field, data), [late, field, data]);
  const multiline = field.control !== "text";
  const Plain = multiline ? TextareaControl : TextControl;
  const trouble = preview !== undefined && !preview.ok && data?.hasData === true ? preview : undefined;

  return (
    <div ref={wrapper} className="flex flex-col gap-1">
      <div className="group/template relative">
        {ready && loaded.Editor !== undefined ? (
          <loaded.Editor
            ref={handle}
            control={control}
            label={field.label}
            value={text}
            placeholder={field.placeholder}
            multiline={multiline}
            mono={monoPlaces.has(field.template ?? "")}
            cursor={cursor}
            trouble={trouble}
            complete={(typed, at) =>
              data === null ? undefined : completeTemplate(typed, at, data.scope(), { ai: field.ai })
            }
            onChange={onChange}
          />
        ) : (
          <Plain {...props} />
        )}
        {ready && data !== null && (
          <div className="absolute top-0.5 right-0.5 rounded-md bg-surface opacity-0 transition-opacity duration-100 group-focus-within/template:opacity-100 group-hover/template:opacity-100">
            <InsertData data={data} onInsert={(expression) => handle.current?.insert(expression)} />
          </div>
        )}
      </div>
      {preview !== undefined && <TemplatePreview preview={preview} hasData={data?.hasData === true} />}
    </div>
  );
}
