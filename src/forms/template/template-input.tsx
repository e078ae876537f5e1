import { type ReactNode, useCallback, useDeferredValue, useMemo, useRef, useState } from "react";
import type { FieldDescription } from "../../engine/config/describe-fields.ts";
import { completeTemplate } from "../../engine/template/complete.ts";
import type { TemplateEditorHandle } from "../../ui/fields/code-editor/template-editor.tsx";
import type { FieldControlProps } from "../../ui/fields/field.tsx";
import { useExpressionWriting } from "./expression-writing.ts";
import { InsertData } from "./insert-data.tsx";
import { LargeTemplate } from "./large-template.tsx";
import { loaded, useTemplateEditorReady } from "./load-editor.ts";
import { useTemplateData } from "./template-data.tsx";
import { previewOf, TemplatePreview } from "./template-preview.tsx";

interface TemplateInputProps {
  /** Says what the templates are for. */
  field: FieldDescription;
  label: string;
  text: string;
  control: FieldControlProps;
  multiline: boolean;
  placeholder?: string;
  /** Does the work until the editor has come. */
  plain: ReactNode;
  /** Whether the text as a whole is one template, whose result can stand under it. */
  hasResult: boolean;
  /** In a window of its own: high, and with the focus at the text's end. */
  isLarge?: boolean;
  onChange(text: string): void;
}

/** Places that are read by machines; what is written for people stands in the font of the page. */
const monoPlaces: ReadonlySet<string> = new Set(["url", "header", "json", "sql", "value"]);

/** Where the field's own buttons stand while one is at it. */
const corner =
  "absolute right-0.5 rounded-md bg-surface opacity-0 transition-opacity duration-100 group-focus-within/template:opacity-100 group-hover/template:opacity-100";

/** An input for templates: completion, the result under it, and data to choose from. */
export function TemplateInput(props: TemplateInputProps) {
  const { field, label, text, control, multiline, placeholder, plain, hasResult, isLarge = false, onChange } = props;
  const data = useTemplateData();
  const wrapper = useRef<HTMLDivElement>(null);
  const handle = useRef<TemplateEditorHandle>(null);
  const [cursor, setCursor] = useState(isLarge ? text.length : undefined);
  const keepCursor = useCallback(() => {
    const active = document.activeElement;
    const isInput = active instanceof HTMLInputElement || active instanceof HTMLTextAreaElement;
    if (isInput && wrapper.current?.contains(active)) setCursor(active.selectionStart ?? active.value.length);
  }, []);
  const ready = useTemplateEditorReady(keepCursor);
  const late = useDeferredValue(text);
  const preview = useMemo(() => (hasResult ? previewOf(late, field, data) : undefined), [late, field, data, hasResult]);
  const [isCaretInside, setCaretInside] = useState(false);
  const isWriting = useExpressionWriting(text, isCaretInside);
  const isWrong = preview !== undefined && !preview.ok && preview.kind !== "unknown" && data?.hasData === true;
  // What the field itself calls wrong is said once, there.
  const isSaid = isWrong && !isWriting && preview.kind === "syntax" && control["aria-invalid"] === true;
  const trouble = isWrong && !isWriting ? preview : undefined;

  return (
    <div ref={wrapper} className="flex min-w-0 flex-1 flex-col gap-1">
      <div className="group/template relative">
        {ready && loaded.Editor !== undefined ? (
          <loaded.Editor
            ref={handle}
            control={control}
            label={label}
            value={text}
            placeholder={placeholder}
            multiline={multiline}
            mono={monoPlaces.has(field.template ?? "")}
            large={isLarge}
            cursor={cursor}
            trouble={trouble}
            complete={(typed, at) =>
              data === null ? undefined : completeTemplate(typed, at, data.scope(), { ai: field.ai })
            }
            onChange={onChange}
            onCaretInside={setCaretInside}
          />
        ) : (
          plain
        )}
        {ready && data !== null && (
          <div className={`${corner} top-0.5`}>
            <InsertData data={data} ai={field.ai} onInsert={(expression) => handle.current?.insert(expression)} />
          </div>
        )}
        {ready && multiline && !isLarge && (
          <div className={`${corner} bottom-0.5`}>
            <LargeTemplate field={field} label={label}>
              {(large) => <TemplateInput {...props} control={large} plain={null} isLarge />}
            </LargeTemplate>
          </div>
        )}
      </div>
      {preview !== undefined && !isSaid && <TemplatePreview preview={preview} data={data} isWriting={isWriting} />}
    </div>
  );
}
