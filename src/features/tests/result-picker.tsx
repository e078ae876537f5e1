import type { StoredEvaluation } from "../../services/services.ts";
import { Field } from "../../ui/fields/field.tsx";
import { formatMoment } from "../../ui/text/format-moment.ts";
import { Select } from "../../ui/fields/select.tsx";
import { statusLooks } from "./suite-text.ts";

interface ResultPickerProps {
  /** The newest first. */
  evaluations: readonly StoredEvaluation[];
  shown: string;
  /** Empty where nothing is compared. */
  against: string;
  onPick(picked: { shown: string; against: string }): void;
}

/** Which result is shown, and which one it is compared with. */
export function ResultPicker({ evaluations, shown, against, onPick }: ResultPickerProps) {
  const optionOf = ({ id, createdAt, status, measured }: StoredEvaluation) => ({
    value: id,
    label: `${formatMoment(Date.parse(createdAt))} · ${statusLooks[status].words}${measured.suite === null ? "" : ` · v${measured.suite}`}`,
  });
  const finished = evaluations.filter(({ id, summary }) => id !== shown && summary !== null);
  return (
    <div className="grid max-w-[560px] gap-3 sm:grid-cols-2">
      <Field label="Result">
        {(control) => (
          <Select
            {...control}
            size="sm"
            value={shown}
            options={evaluations.map(optionOf)}
            onValueChange={(next) => onPick({ shown: next, against: next === against ? "" : against })}
          />
        )}
      </Field>
      <Field label="Compare with">
        {(control) => (
          <Select
            {...control}
            size="sm"
            value={against}
            options={[{ value: "", label: "Nothing" }, ...finished.map(optionOf)]}
            onValueChange={(next) => onPick({ shown, against: next })}
          />
        )}
      </Field>
    </div>
  );
}
