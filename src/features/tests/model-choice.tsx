import { type ComponentProps, useState } from "react";
import type { ModelChoicePart } from "../../state/evaluation/model-choice-part.ts";
import { ModelField } from "./model-field.tsx";
import { chosenModel, type ModelForm } from "./settings-form.ts";

/** Chooses a model that is asked; the demo model is none. */
export function ModelChoice({ help, onChange }: ComponentProps<ModelChoicePart>) {
  const [form, setForm] = useState<ModelForm | null>(null);
  return (
    <ModelField
      help={help}
      isReal
      value={form}
      onChange={(next) => {
        setForm(next);
        onChange(next === null || next.model.trim() === "" ? null : chosenModel(next));
      }}
    />
  );
}
