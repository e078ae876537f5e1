import type { ReactNode } from "react";
import { classNames } from "../theme/class-names.ts";
import { Icon, type IconName } from "../icons/icon.tsx";

export type NoticeTone = "info" | "success" | "warning" | "danger";

const looks: Record<NoticeTone, { icon: IconName; tint: string; mark: string }> = {
  info: { icon: "info", tint: "bg-hover", mark: "text-muted" },
  success: { icon: "circle-check", tint: "bg-success-soft", mark: "text-success" },
  warning: { icon: "triangle-alert", tint: "bg-warning-soft", mark: "text-warning" },
  danger: { icon: "circle-alert", tint: "bg-danger-soft", mark: "text-danger" },
};

/** A message in the flow of the page: what happened, and under it what to do. A wide action stands below a narrow text. */
export function Notice({
  tone = "info",
  title,
  children,
  action,
}: {
  tone?: NoticeTone;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  const look = looks[tone];
  return (
    <div
      role={tone === "danger" ? "alert" : "status"}
      className={classNames("flex flex-wrap items-start gap-2 rounded-md px-3 py-2 text-sm", look.tint)}
    >
      <span className={classNames("mt-0.5", look.mark)}>
        <Icon name={look.icon} />
      </span>
      <div className="min-w-[min(15rem,calc(100%-1.5rem))] flex-1 wrap-anywhere">
        <p className="font-medium">{title}</p>
        {children !== undefined && <div className="text-muted">{children}</div>}
      </div>
      {action}
    </div>
  );
}
