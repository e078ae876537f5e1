import { useState } from "react";
import type { Publication } from "../../../services/services.ts";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { limitFields, limitTexts, readLimits } from "./read-limits.ts";
import { usePublishing } from "./use-publication.ts";

function noticeText({ text, at }: NonNullable<Publication["notice"]>): string {
  return `${new Date(at).toLocaleDateString(undefined, { day: "numeric", month: "long" })}: ${text}`;
}

/** What runs of the published workflow may take, of whichever version. */
export function LimitsForm({ publication }: { publication: Publication }) {
  const { setLimits } = usePublishing();
  const [texts, setTexts] = useState(() => limitTexts(publication.limits));
  const { limits, problems } = readLimits(texts);
  return (
    <form
      className="flex flex-col gap-4 p-5"
      onSubmit={(event) => {
        event.preventDefault();
        if (Object.keys(problems).length === 0) setLimits.mutate(limits);
      }}
    >
      <p className="text-muted">
        For runs on the server, of any version. An empty field sets no limit, or the one shown in it.
      </p>
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
      <Button type="submit" variant="primary" className="self-start max-sm:self-stretch" busy={setLimits.isPending}>
        Save limits
      </Button>
    </form>
  );
}
