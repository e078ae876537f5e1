import type { ComponentProps } from "react";
import { classNames } from "../theme/class-names.ts";

interface TextareaProps extends ComponentProps<"textarea"> {
  /** For code, JSON and templates. */
  mono?: boolean;
  /** Grows with its text up to this many lines. */
  maxRows?: number;
}

/** A text control of several lines that grows with its text. */
export function Textarea({ mono = false, maxRows = 16, rows = 3, className, style, ...rest }: TextareaProps) {
  return (
    <textarea
      rows={rows}
      className={classNames(
        "control field-sizing-content resize-y py-1.5",
        mono ? "font-mono text-xs/5" : "text-sm",
        className,
      )}
      style={{ minHeight: `${rows * 20 + 14}px`, maxHeight: `${maxRows * 20 + 14}px`, ...style }}
      {...rest}
    />
  );
}
