import { type ReactNode, useId, useState } from "react";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import { DialogActions } from "../../ui/overlays/dialog-actions.tsx";
import { Field } from "../../ui/fields/field.tsx";
import { Input } from "../../ui/fields/input.tsx";
import { Select } from "../../ui/fields/select.tsx";
import { Switch } from "../../ui/fields/switch.tsx";
import { Textarea } from "../../ui/fields/textarea.tsx";
import { emptyKeyForm, type KeyForm, keyLimits, readKeyForm } from "./read-key-form.ts";
import { useKeyChanges, usePublishedSlugs } from "./use-api-keys.ts";

const lifetimes = [
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "A year" },
  { value: "", label: "Does not expire" },
];

/** Asks what a new key may do, and makes it. */
export function MakeKeyDialog({ onClose }: { onClose: () => void }) {
  const { make } = useKeyChanges();
  const formId = useId();
  const [form, setForm] = useState(emptyKeyForm);
  const [tried, setTried] = useState(false);
  const read = tried ? readKeyForm(form, 0) : null;
  const problems = read?.ok === false ? read.problems : {};
  const change = (part: Partial<KeyForm>) => setForm((before) => ({ ...before, ...part }));
  const submit = () => {
    setTried(true);
    const now = readKeyForm(form, Date.now());
    if (now.ok) make.submit(now.draft, { onDone: onClose });
  };
  return (
    <Dialog
      open
      modalOnly
      onOpenChange={onClose}
      size="md"
      title="New API key"
      description="What it may do cannot be changed later. It is shown once, when it is made."
      footer={
        <DialogActions onCancel={onClose} type="submit" form={formId} busy={make.isPending}>
          Create key
        </DialogActions>
      }
    >
      <form
        id={formId}
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Field label="Name" required {...errorOf(problems.name)}>
          {(control) => (
            <Input
              {...control}
              value={form.name}
              maxLength={100}
              placeholder="The program that uses it"
              autoComplete="off"
              onChange={(event) => change({ name: event.target.value })}
            />
          )}
        </Field>
        <Workflows form={form} problem={problems.slugs} onChange={change} />
        <Toggle
          label="Read all runs and their events"
          on={form.readRuns}
          onChange={(readRuns) => change({ readRuns })}
        />
        <Toggle label="Answer what runs ask" on={form.approve} onChange={(approve) => change({ approve })} />
        <Toggle
          label="Add, list and delete documents of collections"
          on={form.knowledge}
          onChange={(knowledge) => change({ knowledge })}
        />
        <Field label="Expires after">
          {(control) => (
            <Select {...control} value={form.lasts} options={lifetimes} onValueChange={(lasts) => change({ lasts })} />
          )}
        </Field>
        <div className="grid gap-4 sm:grid-cols-2">
          {keyLimits.map(({ name, label, whole }) => (
            <Field key={name} label={label} {...errorOf(problems[name])}>
              {(control) => (
                <Input
                  {...control}
                  inputMode={whole ? "numeric" : "decimal"}
                  placeholder={name === "perMinute" ? "600" : "No limit"}
                  value={form[name]}
                  onChange={(event) => change({ [name]: event.target.value })}
                />
              )}
            </Field>
          ))}
        </div>
        <Field
          label="Allowed origins"
          help="Only for keys in web pages, one per line, such as https://example.com. Visitors of a page can read its key."
          {...errorOf(problems.origins)}
        >
          {(control) => (
            <Textarea
              {...control}
              rows={2}
              maxRows={5}
              value={form.origins}
              onChange={(event) => change({ origins: event.target.value })}
            />
          )}
        </Field>
      </form>
    </Dialog>
  );
}

const errorOf = (problem: string | undefined) => (problem === undefined ? {} : { error: problem });

function Toggle({ label, on, onChange }: { label: string; on: boolean; onChange: (on: boolean) => void }) {
  return (
    <Field label={label} inline>
      {({ id }) => <Switch id={id} checked={on} onCheckedChange={onChange} />}
    </Field>
  );
}

/** Which workflows a key may run: all, or some of what is published. */
function Workflows({
  form,
  problem,
  onChange,
}: {
  form: KeyForm;
  problem: string | undefined;
  onChange: (part: Partial<KeyForm>) => void;
}) {
  const slugs = usePublishedSlugs();
  const choose = (slug: string, on: boolean) =>
    onChange({ slugs: on ? [...form.slugs, slug] : form.slugs.filter((other) => other !== slug) });
  return (
    <>
      <Toggle label="Run all published workflows" on={form.all} onChange={(all) => onChange({ all })} />
      {!form.all && (
        <Field label="Run these workflows" group {...errorOf(problem)}>
          {() => (
            <ul className="flex max-h-40 flex-col overflow-y-auto rounded-md border p-1">
              {slugs.data?.map((slug) => (
                <li key={slug}>
                  <Choice checked={form.slugs.includes(slug)} onChange={(on) => choose(slug, on)}>
                    {slug}
                  </Choice>
                </li>
              ))}
              {slugs.data?.length === 0 && <li className="px-2 py-1 text-muted">Nothing is published yet.</li>}
              {slugs.isError && <li className="px-2 py-1 text-danger">{slugs.error.message}</li>}
            </ul>
          )}
        </Field>
      )}
    </>
  );
}

function Choice({
  checked,
  onChange,
  children,
}: {
  checked: boolean;
  onChange: (checked: boolean) => void;
  children: ReactNode;
}) {
  return (
    <label className="flex min-h-8 items-center gap-2 rounded-sm px-2 hover:bg-hover">
      <input
        type="checkbox"
        className="size-4 accent-accent"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span className="font-mono text-xs wrap-anywhere">{children}</span>
    </label>
  );
}
