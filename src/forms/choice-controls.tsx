import { Select } from "../ui/fields/select.tsx";
import { Switch } from "../ui/fields/switch.tsx";
import type { ControlProps } from "./control-props.ts";
import { optionLabel } from "./option-label.ts";

/** One of a few choices. A stored value that is no longer offered stays visible. */
export function SelectControl({ field, value, onChange, control }: ControlProps) {
  const current = String(value ?? field.default ?? "");
  const options = field.options ?? [];
  const all = current === "" || options.includes(current) ? options : [current, ...options];
  return (
    <Select
      {...control}
      value={current}
      onValueChange={onChange}
      placeholder={field.placeholder ?? (current === "" ? "Choose" : undefined)}
      options={all.map((option) => ({ value: option, label: optionLabel(option, field.optionTitles) }))}
    />
  );
}

/** On or off. */
export function SwitchControl({ field, value, onChange, control }: ControlProps) {
  const { "aria-required": _required, ...rest } = control;
  return <Switch {...rest} checked={(value ?? field.default) === true} onCheckedChange={onChange} />;
}

/** Any number of a few choices. */
export function ChoicesControl({ field, value, onChange, control }: ControlProps) {
  const current = value ?? field.default;
  const chosen = new Set(Array.isArray(current) ? current.map(String) : []);
  const options = field.options ?? [];
  return (
    <div
      id={control.id}
      role="group"
      aria-label={field.label}
      aria-describedby={control["aria-describedby"]}
      className="flex flex-col gap-1"
    >
      {options.map((option) => (
        <label key={option} className="flex min-h-6 items-center gap-2 text-sm">
          <input
            type="checkbox"
            className="size-4 shrink-0 accent-accent"
            checked={chosen.has(option)}
            onChange={(event) =>
              onChange(options.filter((each) => (each === option ? event.target.checked : chosen.has(each))))
            }
          />
          {optionLabel(option, field.optionTitles)}
        </label>
      ))}
    </div>
  );
}
