import type { FieldDescription } from "../../engine/config/describe-fields.ts";
import type { Json } from "../../engine/json.ts";
import { type Preview, previewTemplate } from "../../engine/template/complete.ts";
import { fallbackOf, identityOf } from "../../engine/template/config-templates.ts";
import type { TemplateData } from "./template-data.tsx";

const mostCharacters = 400;

function shown(value: Json): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > mostCharacters ? `${text.slice(0, mostCharacters)}…` : text;
}

/** As `Preview`, or that it takes a value which the run has not given. */
export type FieldPreview = Preview | { ok: false; kind: "unknown" };

/** Whether a template names a variable, by itself or as `nodes.name`, and not as a part of another value. */
function names(text: string, variable: string): boolean {
  return new RegExp(`(?:^|[^\\w.]|\\bnodes\\.)${variable}(?!\\w)`).test(text);
}

/** What a template gives with the data there is; undefined for a text without one. */
export function previewOf(text: string, field: FieldDescription, data: TemplateData | null): FieldPreview | undefined {
  const preview = resultOf(text, field, data);
  if (preview === undefined || preview.ok || preview.kind === "syntax") return preview;
  return data?.unknown().some((variable) => names(text, variable)) ? { ok: false, kind: "unknown" } : preview;
}

function resultOf(text: string, field: FieldDescription, data: TemplateData | null): Preview | undefined {
  if (data === null || field.template === undefined || !text.includes("{{")) return undefined;
  const preview = previewTemplate(text, data.scope(), field.template, identityOf(field, text));
  const fallback = fallbackOf(field, text);
  if (preview.ok || fallback === undefined) return preview;
  const second = previewTemplate(fallback, data.scope(), field.template);
  return second.ok ? second : preview;
}

/** A line under the field: the result with the last run's data, or what is wrong and where. */
export function TemplatePreview({
  preview,
  data,
  isWriting,
}: {
  preview: FieldPreview;
  data: TemplateData | null;
  /** The line keeps its place meanwhile, and says nothing yet. */
  isWriting: boolean;
}) {
  const hasData = data?.hasData === true;
  if (!preview.ok && hasData && isWriting) return <p className="text-xs text-faint">= …</p>;
  if (preview.ok) {
    return (
      <output className="flex gap-1.5 text-xs text-muted" aria-label="Result">
        <span aria-hidden="true">=</span>
        <span className="line-clamp-3 min-w-0 font-mono wrap-anywhere text-ink">
          {preview.value === "" ? <span className="text-faint">empty</span> : shown(preview.value)}
        </span>
      </output>
    );
  }
  if (!hasData) {
    return (
      <p className="text-xs text-muted" role="status">
        Test the workflow once to see the result here.
      </p>
    );
  }
  if (preview.kind === "unknown") {
    return (
      <p className="text-xs text-muted" role="status">
        {data?.isRunning
          ? "Not known yet: the run has not got this far."
          : "Not known: the last run did not get this far."}
      </p>
    );
  }
  return (
    <p className="text-xs text-warning" role="status">
      {preview.message} <span className="text-muted">{preview.hint}</span>
    </p>
  );
}
