import type { ComponentProps } from "react";
import { classNames } from "../theme/class-names.ts";
import type { ControlSize } from "./input.tsx";

interface SelectOption {
  value: string;
  label: string;
  disabled?: boolean;
}

interface SelectProps extends Omit<ComponentProps<"select">, "size" | "value" | "onChange" | "children"> {
  value: string;
  onValueChange: (value: string) => void;
  options: readonly SelectOption[];
  /** Shown while the value is empty. */
  placeholder?: string;
  size?: ControlSize;
}

/** A choice from a short list: the browser's own select, so that keys, screen readers and phones all work. */
export function Select({ value, onValueChange, options, placeholder, size = "md", className, ...rest }: SelectProps) {
  return (
    <select
      className={classNames("control text-sm", size === "sm" ? "h-7" : "h-8", value === "" && "text-faint", className)}
      value={value}
      onChange={(event) => onValueChange(event.target.value)}
      {...rest}
    >
      {placeholder !== undefined && (
        <option value="" disabled>
          {placeholder}
        </option>
      )}
      {options.map((option) => (
        <option key={option.value} value={option.value} disabled={option.disabled}>
          {option.label}
        </option>
      ))}
    </select>
  );
}
