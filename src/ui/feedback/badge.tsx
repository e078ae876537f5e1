import type { ReactNode } from "react";
import { classNames } from "../theme/class-names.ts";
import { Icon, type IconName } from "../icons/icon.tsx";

export type BadgeTone = "neutral" | "accent" | "success" | "warning" | "danger" | "main" | "model" | "memory" | "tool";

const tones: Record<BadgeTone, string> = {
  neutral: "bg-hover text-muted",
  accent: "bg-accent-soft text-accent",
  success: "bg-success-soft text-success",
  warning: "bg-warning-soft text-warning",
  danger: "bg-danger-soft text-danger",
  main: "bg-role-main-soft text-ink",
  model: "bg-role-model-soft text-role-model",
  memory: "bg-role-memory-soft text-role-memory",
  tool: "bg-role-tool-soft text-role-tool",
};

/** A word or two about the thing beside it. */
export function Badge({
  tone = "neutral",
  icon,
  children,
}: {
  tone?: BadgeTone;
  icon?: IconName;
  children: ReactNode;
}) {
  return (
    <span
      className={classNames(
        "inline-flex h-5 max-w-full items-center gap-1 rounded-sm px-1.5 text-xs font-medium whitespace-nowrap",
        tones[tone],
      )}
    >
      {icon !== undefined && <Icon name={icon} size={12} />}
      <span className="truncate">{children}</span>
    </span>
  );
}
