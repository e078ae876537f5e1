import type { ComponentProps } from "react";
import { classNames } from "../theme/class-names.ts";

interface SwitchProps extends Omit<ComponentProps<"button">, "onChange" | "onClick" | "children" | "type"> {
  checked: boolean;
  /** Refuses clicks while a change is being saved, but keeps the focus. */
  busy?: boolean;
  onCheckedChange: (checked: boolean) => void;
}

/** On or off, at once. A `<label htmlFor>` may point to it. */
export function Switch({ checked, busy = false, onCheckedChange, className, ...rest }: SwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={checked}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      onClick={() => {
        if (!busy) onCheckedChange(!checked);
      }}
      className={classNames(
        "relative inline-flex h-[18px] w-8 shrink-0 items-center rounded-full transition-colors duration-100 disabled:opacity-50 aria-disabled:opacity-50",
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
