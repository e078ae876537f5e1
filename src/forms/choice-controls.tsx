import { Select } from "../ui/select.tsx";
import { Switch } from "../ui/switch.tsx";
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
