import { useState } from "react";
import { limitsMoney, type Publication } from "../../../services/services.ts";
import { useEditor, useServices } from "../../../state/editor/editor-context.tsx";
import { Button } from "../../../ui/buttons/button.tsx";
import { Field } from "../../../ui/fields/field.tsx";
import { Input } from "../../../ui/fields/input.tsx";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { showError } from "../../../ui/feedback/toast.tsx";
import { uncountedModels } from "../../../state/publication/uncounted-models.ts";
import { UncountedNotice } from "./uncounted-notice.tsx";
import { limitFields, limitTexts, readLimits } from "./read-limits.ts";
import { usePublishing } from "./use-publication.ts";

function noticeText({ text, at }: NonNullable<Publication["notice"]>): string {
  return `${new Date(at).toLocaleDateString(undefined, { day: "numeric", month: "long" })}: ${text}`;
}

/** What runs of the published workflow may take, of whichever version. */
export function LimitsForm({ publication }: { publication: Publication }) {
  const { setLimits } = usePublishing();
  const { registry } = useEditor();
  const { publications } = useServices();
  const [unpriced, setUnpriced] = useState<readonly string[]>([]);
  const [texts, setTexts] = useState(() => limitTexts(publication.limits));
  const { limits, problems } = readLimits(texts);
  /** A limit in dollars that is new holds only where all prices are known; what is there already may change. */
  const save = async () => {
    const isNew = limitsMoney(limits) && !limitsMoney(publication.limits);
    const found = isNew ? await uncountedModels(publications, registry, [publication.slug]) : [];
    setUnpriced(found.flatMap(({ models }) => models));
    if (found.length === 0) setLimits.mutate(limits);
  };
  return (
    <form
      className="flex flex-col gap-4 p-5 pt-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (Object.keys(problems).length === 0) void save().catch(showError);
      }}
    >
      <p className="text-muted">
        For runs on the server, of any version. An empty field sets no limit, or the one shown in it.
      </p>
      {publication.uncounted.length > 0 && <UncountedNotice models={publication.uncounted} />}
      {unpriced.length > 0 && (
        <Notice tone="danger" title={`The price of ${unpriced.join(", ")} is not known`}>
          A limit in dollars could not hold. Enter the price on the node that uses the model (0 for a server of your
          own), publish the workflow again, then set the limit.
        </Notice>
      )}
      {publication.notice !== null && <p role="status">{noticeText(publication.notice)}</p>}
      <div className="grid gap-4 sm:grid-cols-2 md:grid-cols-3">
        {limitFields.map(({ name, label, help, whole, usual }) => (
          <Field
            key={name}
            label={label}
            help={help}
            {...(problems[name] === undefined ? {} : { error: problems[name] })}
          >
            {(control) => (
              <Input
                {...control}
                inputMode={whole ? "numeric" : "decimal"}
                placeholder={usual === undefined ? "No limit" : String(usual)}
                value={texts[name]}
                onChange={(event) => setTexts({ ...texts, [name]: event.target.value })}
              />
            )}
          </Field>
        ))}
      </div>
      <Button type="submit" className="self-start max-sm:self-stretch" busy={setLimits.isPending}>
        Save limits
      </Button>
    </form>
  );
}
