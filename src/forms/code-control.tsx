import { lazy, Suspense } from "react";
import { isJsonObject, type Json, type JsonObject } from "../engine/json.ts";
import type { CodeName } from "../ui/fields/code-editor/complete-names.ts";
import type { SlotProps } from "./control-props.ts";
import { TextareaControl } from "./text-control.tsx";

const CodeEditor = lazy(() => import("../ui/fields/code-editor/code-editor.tsx"));

function typeOf(schema: Json | undefined): string | undefined {
  if (!isJsonObject(schema)) return undefined;
  return typeof schema["type"] === "string" ? schema["type"] : undefined;
}

/** The variables that code in the field sees: those its node always gives, and those that another field declares. */
function codeNames(field: SlotProps["field"], config: JsonObject): CodeName[] {
  const own = (field.codeNames ?? []).map((name) => ({ name }));
  const schema = field.codeNamesFrom === undefined ? undefined : config[field.codeNamesFrom];
  const properties = isJsonObject(schema) && isJsonObject(schema["properties"]) ? schema["properties"] : {};
  const named = field.codeNamesOf === undefined ? undefined : config[field.codeNamesOf];
  const inputs = isJsonObject(named) ? Object.keys(named).map((name) => ({ name })) : [];
  return [...Object.entries(properties).map(([name, inner]) => ({ name, detail: typeOf(inner) })), ...inputs, ...own];
}

/** JavaScript in an editor of its own; until that has loaded, in a plain text field. */
export function CodeControl(props: SlotProps) {
  const { field, value, onChange, control, config } = props;
  const text = typeof value === "string" ? value : String(value ?? field.default ?? "");
  return (
    <Suspense fallback={<TextareaControl {...props} />}>
      <CodeEditor
        control={control}
        label={field.label}
        value={text}
        names={codeNames(field, config)}
        onChange={onChange}
      />
    </Suspense>
  );
}
