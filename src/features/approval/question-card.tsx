import type { ComponentProps } from "react";
import { Icon } from "../../ui/icons/icon.tsx";

/** The frame of a question: who asks for what (`asks`), and below it what is asked and the answers. `label`: for screen readers. */
export function QuestionCard({
  label,
  asks,
  className = "",
  children,
  ...rest
}: ComponentProps<"div"> & { label: string; asks: ComponentProps<"div">["children"] }) {
  return (
    <div
      role="group"
      aria-label={label}
      className={`flex flex-wrap items-center gap-2 rounded-lg border border-warning bg-warning-soft p-2 pl-3 ${className}`}
      {...rest}
    >
      <span className="self-start pt-0.5 text-warning">
        <Icon name="hand" />
      </span>
      <div className="min-w-40 flex-1 wrap-anywhere">{asks}</div>
      {children}
    </div>
  );
}
