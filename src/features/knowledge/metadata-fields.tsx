import { useId } from "react";
import type { FieldDescription } from "../../engine/config/describe-fields.ts";
import { isJsonObject, type Json, parseJson } from "../../engine/json.ts";
import {
  type DocumentMetadata,
  mergeMetadata,
  metadataLimits,
  readMetadata,
  typedText,
  typedValue,
} from "../../engine/knowledge/document-metadata.ts";
import { KeyValuesControl } from "../../forms/list-controls.tsx";

/** Names and values as they are typed. */
export type TypedPairs = Readonly<Record<string, string>>;

const field: FieldDescription = {
  name: "metadata",
  label: "Metadata",
  help: "Names and values to find the document by, such as team and year. Numbers, true and false are stored as such, quotes keep a text, and brackets make a list: [a, b].",
  control: "key-values",
  default: {},
  identity: false,
  ai: false,
  integer: false,
  required: false,
  optional: false,
};

/** Metadata as a person types them. */
export function typedPairs(metadata: DocumentMetadata): TypedPairs {
  return Object.fromEntries(
    Object.entries(metadata).map(([name, value]) => [
      name,
      typeof value === "object" ? JSON.stringify(value) : typedText(value),
    ]),
  );
}

/** A list as JSON, or without quotes: `[a, b]`. */
function valueOf(text: string): Json {
  const parsed = parseJson(text);
  if (Array.isArray(parsed)) return parsed;
  const [, list] = /^\s*\[(.*)\]\s*$/s.exec(text) ?? [];
  if (list === undefined) return typedValue(text);
  return list
    .split(",")
    .map((one) => one.trim())
    .filter(Boolean);
}

/** What was typed, or what is wrong with it. Rows without a value are left out. */
export function readPairs(
  pairs: TypedPairs,
): { ok: true; metadata: DocumentMetadata } | { ok: false; message: string; hint: string } {
  const given = Object.entries(pairs).filter(([, text]) => text.trim() !== "");
  const read = readMetadata(Object.fromEntries(given.map(([name, text]) => [name.trim(), valueOf(text)])));
  return read.ok ? { ok: true, metadata: mergeMetadata({}, read.metadata) } : read;
}

/** Rows of names and values. */
export function MetadataFields(props: {
  value: TypedPairs;
  onChange: (pairs: TypedPairs) => void;
  problem: { message: string; hint: string } | undefined;
}) {
  const { value, onChange, problem } = props;
  const id = useId();
  return (
    <div className="flex flex-col gap-1">
      <KeyValuesControl
        field={field}
        value={{ ...value }}
        onChange={(changed) => {
          const typed = isJsonObject(changed) ? Object.entries(changed) : [];
          onChange(
            Object.fromEntries(typed.slice(0, metadataLimits.fields).map(([name, text]) => [name, String(text)])),
          );
        }}
        control={{ id, "aria-describedby": `${id}-note`, "aria-invalid": undefined, "aria-required": undefined }}
      />
      <p id={`${id}-note`} className="text-xs text-muted">
        {field.help}
      </p>
      {problem !== undefined && (
        <p role="alert" className="text-xs text-danger">
          {problem.message} {problem.hint}
        </p>
      )}
    </div>
  );
}
