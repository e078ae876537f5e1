import { useId } from "react";
import { Link } from "wouter";
import { Button } from "../../../ui/buttons/button.tsx";
import { Icon } from "../../../ui/icons/icon.tsx";
import { Input } from "../../../ui/fields/input.tsx";
import { type AskedValues, isSecretValue } from "./asked-values.ts";

/** Asks for the values that whoever shared the workflow has kept to themselves. */
export function AskedVariables({
  names,
  values,
  onChange,
  onSkip,
}: {
  names: readonly string[];
  values: AskedValues;
  onChange: (values: AskedValues) => void;
  onSkip: () => void;
}) {
  return (
    <section aria-label="Fill in its variables" className="rounded-lg border">
      <div className="flex items-start gap-2 border-b px-3 py-2">
        <span className="mt-0.5 text-muted">
          <Icon name="pencil" />
        </span>
        <div className="flex-1">
          <h3 className="font-medium">Fill in its variables</h3>
          <p className="text-xs text-muted">
            Whoever shared it left these to you. “Settings and variables” of the workflow shows them later.
          </p>
        </div>
        <Button size="sm" variant="ghost" onClick={onSkip}>
          Skip
        </Button>
      </div>
      <div className="flex flex-col gap-2 px-3 py-2">
        {names.map((name) => (
          <Variable
            key={name}
            name={name}
            value={values[name] ?? ""}
            onChange={(value) => onChange({ ...values, [name]: value })}
          />
        ))}
      </div>
    </section>
  );
}

function Variable({ name, value, onChange }: { name: string; value: string; onChange: (value: string) => void }) {
  const hint = useId();
  const isSecret = isSecretValue(name, value);
  return (
    <div className="flex flex-col gap-1">
      <label className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="w-36 min-w-0 shrink-0 font-mono text-xs wrap-anywhere">{name}</span>
        <Input
          className="min-w-40 flex-1"
          value={value}
          spellCheck={false}
          autoComplete="off"
          aria-invalid={isSecret || undefined}
          aria-describedby={isSecret ? hint : undefined}
          onChange={(event) => onChange(event.target.value)}
        />
      </label>
      {isSecret && (
        <p id={hint} role="alert" className="text-xs text-danger">
          This looks like a secret, and variables are part of exports: it is not imported. Keep it in{" "}
          <Link href="/credentials" className="font-medium underline">
            Credentials
          </Link>{" "}
          and choose that on the node.
        </p>
      )}
    </div>
  );
}
