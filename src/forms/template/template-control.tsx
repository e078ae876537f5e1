import type { ControlProps } from "../control-props.ts";
import { TextareaControl, TextControl } from "../text-control.tsx";
import { TemplateInput } from "./template-input.tsx";

/** A field that is one text with templates. */
export function TemplateControl(props: ControlProps) {
  const { field, value, control, onChange } = props;
  const stored = value ?? field.default;
  const text =
    typeof stored === "string" ? stored : stored === undefined || stored === null ? "" : JSON.stringify(stored);
  const multiline = field.control === "textarea";
  const Plain = multiline ? TextareaControl : TextControl;
  return (
    <TemplateInput
      field={field}
      label={field.label}
      text={text}
      control={control}
      multiline={multiline}
      placeholder={field.placeholder}
      plain={<Plain {...props} />}
      hasResult
      onChange={onChange}
    />
  );
}
