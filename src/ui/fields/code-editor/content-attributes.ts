import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import type { FieldControlProps } from "../field.tsx";

/** What an editor's content says to screen readers; it is no form control, so a label cannot point at it. */
export function contentAttributes(
  control: FieldControlProps,
  label: string,
  { multiline = true }: { multiline?: boolean } = {},
): Extension {
  const { id, "aria-describedby": describedBy, "aria-invalid": invalid, "aria-required": required } = control;
  return EditorView.contentAttributes.of({
    id,
    "aria-label": label,
    "aria-multiline": String(multiline),
    ...(describedBy === undefined ? {} : { "aria-describedby": describedBy }),
    ...(invalid ? { "aria-invalid": "true" } : {}),
    ...(required ? { "aria-required": "true" } : {}),
  });
}
