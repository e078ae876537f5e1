import { readJson, type Json } from "../engine/json.ts";
import { Textarea } from "../ui/fields/textarea.tsx";
import type { ControlProps } from "./control-props.ts";
import { TemplateInput } from "./template/template-input.tsx";
import { useTextDraft } from "./use-text-draft.ts";

function textOf(value: Json | undefined): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

/** What typed JSON is stored as: nothing for an empty input, the text itself while it does not parse. */
export function jsonFrom(text: string): Json | undefined {
  if (text.trim() === "") return undefined;
  try {
    return readJson(text);
  } catch {
    return text;
  }
}

/** Why a text is no JSON, in words, or undefined. */
export function jsonProblem(value: Json | undefined): string | undefined {
  if (typeof value !== "string" || value.trim() === "" || value.includes("{{")) return undefined;
  try {
    JSON.parse(value);
    return undefined;
  } catch {
    return "This is not valid JSON. Check quotes, commas and brackets.";
  }
}

/** JSON as text. What does not parse yet is kept as typed. */
export function JsonControl({ field, value, onChange, control }: ControlProps) {
  const [text, setText] = useTextDraft(textOf(value ?? field.default));
  const change = (typed: string) => {
    const next = jsonFrom(typed);
    setText(typed, textOf(next ?? field.default));
    onChange(next);
  };
  const invalid = control["aria-invalid"] ?? (jsonProblem(text) === undefined ? undefined : true);
  const placeholder = field.placeholder ?? "{ }";
  const plain = (
    <Textarea
      {...control}
      mono
      rows={4}
      value={text}
      placeholder={placeholder}
      spellCheck={false}
      aria-label={field.label}
      aria-invalid={invalid}
      onChange={(event) => change(event.target.value)}
    />
  );
  if (field.template === undefined) return plain;
  return (
    <TemplateInput
      field={field}
      label={field.label}
      text={text}
      control={{ ...control, "aria-invalid": invalid }}
      multiline
      placeholder={placeholder}
      plain={plain}
      hasResult={typeof value === "string"}
      onChange={change}
    />
  );
}
