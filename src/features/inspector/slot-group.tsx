import type { ReactNode } from "react";
import type { SlotProps } from "../../forms/control-props.ts";

/** What a setting consists of that has several controls, under the setting's name. */
export function SlotGroup({
  field,
  control,
  children,
}: Pick<SlotProps, "field" | "control"> & { children: ReactNode }) {
  return (
    <div
      className="flex flex-col gap-2"
      role="group"
      aria-label={field.label}
      aria-describedby={control["aria-describedby"]}
    >
      {children}
    </div>
  );
}
