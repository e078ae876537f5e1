import { useState } from "react";
import { flushSync } from "react-dom";
import type { CollectionSummary } from "../../../services/knowledge.ts";
import { useServices } from "../../../services/services-context.tsx";
import { newSource, sourceKinds, type SourceKind, type SourceSummary } from "../../../services/web-sources.ts";
import { Field } from "../../../ui/fields/field.tsx";
import { focusFirstInvalid } from "../../../ui/fields/focus-first-invalid.ts";
import { Input } from "../../../ui/fields/input.tsx";
import { Select } from "../../../ui/fields/select.tsx";
import { Textarea } from "../../../ui/fields/textarea.tsx";
import { useDialogMutation } from "../../../ui/overlays/use-dialog-mutation.ts";
import { costsNothing, costText } from "../embedding-cost.ts";
import { FormDialog } from "../form-dialog.tsx";
import { useRefreshKnowledge } from "../knowledge-queries.ts";
import { SaveFailure } from "../save-failure.tsx";
import { formOf, readSourceForm, type SourceForm, type SourceProblems } from "./source-form.ts";
import { intervalOptions } from "./source-text.ts";

const kindOptions: Record<SourceKind, { label: string; placeholder: string }> = {
  page: { label: "One page", placeholder: "https://example.com/help" },
  sitemap: { label: "The pages of a sitemap", placeholder: "https://example.com/sitemap.xml" },
  site: { label: "A site, following its links", placeholder: "https://example.com/docs/" },
  feed: { label: "A feed (RSS or Atom)", placeholder: "https://example.com/feed.xml" },
};

/** Adds a source to a collection, or changes one. */
export function SourceDialog({
  collection,
  source,
  onClose,
}: {
  collection: CollectionSummary;
  source?: SourceSummary;
  onClose: () => void;
}) {
  const { webSources } = useServices();
  const refresh = useRefreshKnowledge();
  const [form, setForm] = useState(() => formOf(source ?? newSource));
  const [tried, setTried] = useState(false);
  const read = readSourceForm(form);
  const problems: SourceProblems = tried && !read.ok ? read.problems : {};
  const change = (changed: Partial<SourceForm>) => setForm({ ...form, ...changed });
  const save = useDialogMutation({
    save: async () => {
      if (read.ok) await webSources.save(collection.id, read.draft, source?.id);
    },
    refresh,
    showsError: true,
  });
  const { embedding } = collection;
  const isCharged = !costsNothing(embedding);
  return (
    <FormDialog
      title={source === undefined ? "Add a source" : "Edit source"}
      description="Its pages become documents. A worker reloads those that changed, at one request per second, and follows the site’s robots.txt."
      submit={source === undefined ? "Add source" : "Save"}
      busy={save.isPending}
      onClose={onClose}
      onSubmit={(element) => {
        flushSync(() => setTried(true));
        if (read.ok) save.submit(undefined, { onDone: onClose });
        else focusFirstInvalid(element);
      }}
    >
      <Field label="Source">
        {(control) => (
          <Select
            {...control}
            value={form.kind}
            onValueChange={(kind) => change({ kind: sourceKinds.find((known) => known === kind) ?? form.kind })}
            options={sourceKinds.map((kind) => ({ value: kind, label: kindOptions[kind].label }))}
          />
        )}
      </Field>
      <Field label="Address" required error={problems.url}>
        {(control) => (
          <Input
            {...control}
            inputMode="url"
            value={form.url}
            placeholder={kindOptions[form.kind].placeholder}
            onChange={(event) => change({ url: event.target.value })}
          />
        )}
      </Field>
      <Field label="Reload">
        {(control) => (
          <Select
            {...control}
            value={form.everyHours === null ? "" : String(form.everyHours)}
            onValueChange={(hours) => change({ everyHours: hours === "" ? null : Number(hours) })}
            options={intervalOptions(form.everyHours)}
          />
        )}
      </Field>
      {form.kind !== "page" && <ManyPagesFields form={form} problems={problems} onChange={change} />}
      {isCharged && (
        <Field
          label="Maximum tokens to embed per reload"
          help={read.ok ? costText(embedding, read.draft.maxTokens) : undefined}
          error={problems.maxTokens}
        >
          {(control) => (
            <Input
              {...control}
              inputMode="numeric"
              value={form.maxTokens}
              onChange={(event) => change({ maxTokens: event.target.value })}
            />
          )}
        </Field>
      )}
      {isCharged && source === undefined && (
        <p className="text-xs text-muted">
          Its pages are counted first. You see what embedding them costs before it begins.
        </p>
      )}
      <SaveFailure error={save.error} />
    </FormDialog>
  );
}

/** Which pages a source of many goes on with. */
function ManyPagesFields(props: {
  form: SourceForm;
  problems: SourceProblems;
  onChange: (changed: Partial<SourceForm>) => void;
}) {
  const { form, problems, onChange } = props;
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Maximum pages" error={problems.maxPages}>
          {(control) => (
            <Input
              {...control}
              inputMode="numeric"
              value={form.maxPages}
              onChange={(event) => onChange({ maxPages: event.target.value })}
            />
          )}
        </Field>
        {form.kind === "site" && (
          <Field label="Depth" help="Links from the first page to the last." error={problems.depth}>
            {(control) => (
              <Input
                {...control}
                inputMode="numeric"
                value={form.depth}
                onChange={(event) => onChange({ depth: event.target.value })}
              />
            )}
          </Field>
        )}
      </div>
      <Field label="Include paths" help="One per line; * stands for anything. Empty: all." error={problems.include}>
        {(control) => (
          <Textarea
            {...control}
            rows={2}
            mono
            value={form.include}
            placeholder="/docs/*"
            onChange={(event) => onChange({ include: event.target.value })}
          />
        )}
      </Field>
      <Field label="Exclude paths" error={problems.exclude}>
        {(control) => (
          <Textarea
            {...control}
            rows={2}
            mono
            value={form.exclude}
            placeholder="*/print"
            onChange={(event) => onChange({ exclude: event.target.value })}
          />
        )}
      </Field>
    </>
  );
}
