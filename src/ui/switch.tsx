import type { ComponentProps } from "react";
import { classNames } from "./class-names.ts";

interface SwitchProps extends Omit<ComponentProps<"button">, "onChange" | "children" | "type"> {
  checked: boolean;
  onCheckedChange: (checked: boolean) => void;
}

/** On or off, at once. A `<label htmlFor>` may point to it. */
export function Switch({ checked, onCheckedChange, className, ...rest }: SwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={checked}
      onClick={() => onCheckedChange(!checked)}
      className={classNames(
        "relative inline-flex h-[18px] w-8 shrink-0 items-center rounded-full transition-colors duration-100 disabled:opacity-50",
        checked ? "bg-accent" : "bg-faint/60",
        className,
      )}
      {...rest}
    >
      <span
        aria-hidden
        className={classNames(
          "size-3.5 rounded-full transition-transform duration-100",
          checked ? "translate-x-4 bg-on-accent" : "translate-x-0.5 bg-surface",
        )}
      />
    </button>
  );
}
