import type { ComponentProps } from "react";
import { classNames } from "../theme/class-names.ts";

export type ControlSize = "sm" | "md";

const heights: Record<ControlSize, string> = { sm: "h-7", md: "h-8" };

export interface InputProps extends Omit<ComponentProps<"input">, "size"> {
  size?: ControlSize;
  /** For code, names and templates. */
  mono?: boolean;
}

/** A one-line text control. Inside a `Field`, spread its control props on it. */
export function Input({ size = "md", mono = false, className, type = "text", ...rest }: InputProps) {
  return (
    <input
      type={type}
      className={classNames("control", heights[size], mono ? "font-mono text-xs" : "text-sm", className)}
      {...rest}
    />
  );
}
