import { lazy, Suspense } from "react";
import { isJsonObject, type Json, type JsonObject } from "../engine/json.ts";
import type { CodeName } from "../ui/fields/code-editor/complete-names.ts";
import { CodeBrief } from "./code-brief.tsx";
import type { SlotProps } from "./control-props.ts";
import { TextareaControl } from "./text-control.tsx";

const CodeEditor = lazy(() => import("../ui/fields/code-editor/code-editor.tsx"));

function typeOf(schema: Json | undefined): string | undefined {
  if (!isJsonObject(schema)) return undefined;
  return typeof schema["type"] === "string" ? schema["type"] : undefined;
}

/** The variables that code in the field sees: those its node always gives, and those that another field declares. */
function codeNames(field: SlotProps["field"], config: JsonObject): CodeName[] {
  const own = Object.entries(field.codeNames ?? {}).map(([name, detail]) => ({ name, detail }));
  const schema = field.codeNamesFrom === undefined ? undefined : config[field.codeNamesFrom];
  const properties = isJsonObject(schema) && isJsonObject(schema["properties"]) ? schema["properties"] : {};
  const named = field.codeNamesOf === undefined ? undefined : config[field.codeNamesOf];
  const inputs = isJsonObject(named) ? Object.keys(named).map((name) => ({ name })) : [];
  return [...own, ...Object.entries(properties).map(([name, inner]) => ({ name, detail: typeOf(inner) })), ...inputs];
}

/** JavaScript in an editor of its own; until that has loaded, in a plain text field. */
export function CodeControl(props: SlotProps) {
  const { field, value, onChange, control, config } = props;
  const text = typeof value === "string" ? value : String(value ?? field.default ?? "");
  const names = codeNames(field, config);
  const inputs = field.codeNamesOf === undefined ? undefined : config[field.codeNamesOf];
  return (
    <div className="flex flex-col gap-2">
      <Suspense fallback={<TextareaControl {...props} />}>
        <CodeEditor control={control} label={field.label} value={text} names={names} onChange={onChange} />
      </Suspense>
      <CodeBrief
        field={field}
        value={text}
        names={names}
        inputs={isJsonObject(inputs) ? inputs : {}}
        onChange={onChange}
      />
    </div>
  );
}
