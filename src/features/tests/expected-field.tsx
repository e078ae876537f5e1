import { Field } from "../../ui/fields/field.tsx";
import { Select } from "../../ui/fields/select.tsx";
import { Textarea } from "../../ui/fields/textarea.tsx";
import { type ComparisonChoice, comparisonChoices } from "./expected-comparison.ts";

const labels: Readonly<Record<ComparisonChoice, string>> = {
  contains: "The answer contains it",
  equals: "The answer equals it",
  judge: "A judge compares the meaning",
  assertions: "Assertions compare it",
  none: "Not compared, only for reference",
};

const helps: Readonly<Record<ComparisonChoice, string>> = {
  contains:
    "Capitals and spaces do not matter; 4 is not found in 42. Of a JSON answer, every field given here has to fit.",
  equals: "Word for word, but for spaces around it.",
  judge: "The judge of the suite says whether the answer states this, in whatever words.",
  assertions: "Assertions of the suite or of this case name {{expected}}.",
  none: "It decides nothing.",
};

interface ExpectedFieldProps {
  value: string;
  comparison: ComparisonChoice;
  /** Whether some assertion names `expected`. */
  isNamed: boolean;
  hasJudge: boolean;
  error?: string;
  onChange(part: { expected: string } | { comparison: ComparisonChoice }): void;
}

/** What is expected, and how the answer is compared with it. */
export function ExpectedField({ value, comparison, isNamed, hasJudge, error, onChange }: ExpectedFieldProps) {
  const choices = comparisonChoices.filter((choice) => choice === comparison || choice !== "assertions" || isNamed);
  const missing = comparison === "judge" && !hasJudge ? " Choose a judge in the suite's settings." : "";
  return (
    <div className="flex flex-col gap-2">
      <Field label="Expected" {...(error === undefined ? {} : { error })}>
        {(control) => (
          <Textarea
            {...control}
            rows={2}
            maxRows={8}
            value={value}
            onChange={(event) => onChange({ expected: event.target.value })}
          />
        )}
      </Field>
      {value.trim() !== "" && (
        <Field label="Comparison" help={`${helps[comparison]}${missing}`}>
          {(control) => (
            <Select
              {...control}
              value={comparison}
              onValueChange={(next) =>
                onChange({ comparison: comparisonChoices.find((choice) => choice === next) ?? comparison })
              }
              options={choices.map((choice) => ({ value: choice, label: labels[choice] }))}
            />
          )}
        </Field>
      )}
    </div>
  );
}
