import { type ReactNode, useRef, useState } from "react";
import { type AskedForm, formDefaults } from "../../engine/tool/tool.ts";
import type { ApprovalDecision } from "../../engine/host.ts";
import type { JsonObject } from "../../engine/json.ts";
import { ConfigForm } from "../../forms/config-form.tsx";
import { schemaFields } from "../../forms/schema-fields.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { useSettled } from "../../ui/buttons/use-settled.ts";
import { focusFirstInvalid } from "../../ui/fields/focus-first-invalid.ts";
import { Icon } from "../../ui/icons/icon.tsx";
import { answerProblems, filledIn } from "./answer-problems.ts";

export interface AnswerFormProps {
  form: AskedForm;
  /** What screen readers call it. */
  label: string;
  /** Says who asks. */
  children: ReactNode;
  busy?: boolean;
  onDecide: (decision: ApprovalDecision) => void;
}

const ofServer = {
  note: "Your answer goes to the tool’s server. Never enter passwords or keys here.",
  yes: "Send answer",
  no: "Decline",
  reason: "Declined.",
};
const ofValues = {
  note: "Until this run ends, each value may be used for the argument named here without another question.",
  yes: "Confirm",
  no: "Reject",
  reason: "Rejected.",
};

/** A form that a tool asks during its call: the question, its fields with their defaults; send, or decline. */
export function AnswerForm({ form, label, children, busy = false, onDecide }: AnswerFormProps) {
  const [values, setValues] = useState<JsonObject>(() => formDefaults(form.schema));
  const [tried, setTried] = useState(false);
  const settled = useSettled(`${label} ${form.message}`);
  const element = useRef<HTMLFormElement>(null);
  const words = form.confirms ? ofValues : ofServer;
  const problems = answerProblems(form.schema, values);
  const isComplete = Object.keys(problems).length === 0;
  const fields = schemaFields(form.schema).map(({ default: initial, ...field }) => ({
    ...field,
    // Answers are short.
    ...(field.control === "textarea" ? { control: "text" as const } : {}),
    // Whoever confirms a value has to see where it was read, and a cleared one stays empty.
    ...(form.confirms === true || initial === undefined ? {} : { default: initial }),
  }));
  return (
    <form
      ref={element}
      aria-label={label}
      noValidate
      className="flex flex-col gap-3 rounded-lg border border-warning bg-warning-soft p-2 pl-3"
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (isComplete) onDecide({ approved: true, input: filledIn(values) });
        else requestAnimationFrame(() => focusFirstInvalid(element.current));
      }}
    >
      <div className="flex items-start gap-2">
        <span className="pt-0.5 text-warning">
          <Icon name="hand" />
        </span>
        <div className="min-w-0 flex-1 wrap-anywhere">
          {children}
          <p dir="auto" className="whitespace-pre-line">
            {form.message}
          </p>
        </div>
      </div>
      {fields.length > 0 && (
        <div className="rounded-md bg-surface p-3">
          <ConfigForm
            fields={fields}
            config={values}
            problems={tried ? problems : {}}
            onChange={({ name }, value) => {
              const { [name]: _before, ...others } = values;
              setValues(value === undefined ? others : { ...others, [name]: value });
            }}
          />
        </div>
      )}
      <div className="flex flex-wrap items-center gap-2">
        <p className="min-w-40 flex-1 text-xs text-muted">{words.note}</p>
        <div className="flex gap-2 max-sm:w-full max-sm:*:flex-1">
          <Button
            size="sm"
            icon="x"
            disabled={busy}
            onClick={() => onDecide({ approved: false, reason: words.reason })}
          >
            {words.no}
          </Button>
          <Button size="sm" variant="primary" icon="check" type="submit" busy={busy} disabled={!settled}>
            {words.yes}
          </Button>
        </div>
      </div>
    </form>
  );
}
