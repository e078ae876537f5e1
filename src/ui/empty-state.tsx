import type { ReactNode } from "react";
import { Icon, type IconName } from "./icon.tsx";

/** A place with nothing in it yet: what belongs here, and one step to take. */
export function EmptyState({
  icon,
  title,
  children,
  action,
}: {
  icon?: IconName;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="mx-auto flex max-w-96 flex-col items-center gap-1 px-4 py-10 text-center">
      {icon !== undefined && (
        <span className="mb-2 inline-flex size-10 items-center justify-center rounded-lg border bg-surface text-muted">
          <Icon name={icon} size={20} />
        </span>
      )}
      <h2 className="text-base font-semibold">{title}</h2>
      {children !== undefined && <div className="text-muted">{children}</div>}
      {action !== undefined && <div className="mt-3 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}
