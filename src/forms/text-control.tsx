import { Input } from "../ui/fields/input.tsx";
import { Textarea } from "../ui/fields/textarea.tsx";
import type { ControlProps } from "./control-props.ts";

function textOf(value: ControlProps["value"]): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** One line of text. Templates show in a mono font. */
export function TextControl({ field, value, onChange, control }: ControlProps) {
  return (
    <Input
      {...control}
      mono={field.template !== undefined}
      value={textOf(value ?? field.default)}
      placeholder={field.placeholder}
      spellCheck={false}
      autoComplete="off"
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

/** Several lines of text, templates or code. */
export function TextareaControl({ field, value, onChange, control }: ControlProps) {
  const code = field.control === "code";
  return (
    <Textarea
      {...control}
      mono={code || field.template !== undefined}
      rows={code ? 8 : 3}
      value={textOf(value ?? field.default)}
      placeholder={field.placeholder}
      spellCheck={!code && field.template === undefined}
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={(event) => {
        if (!code || event.key !== "Tab" || event.shiftKey) return;
        event.preventDefault();
        const { selectionStart, selectionEnd, value: text } = event.currentTarget;
        event.currentTarget.setRangeText("  ", selectionStart, selectionEnd, "end");
        onChange(`${text.slice(0, selectionStart)}  ${text.slice(selectionEnd)}`);
      }}
    />
  );
}
