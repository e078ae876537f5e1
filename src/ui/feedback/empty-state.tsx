import type { ReactNode } from "react";
import { Icon, type IconName } from "../icons/icon.tsx";

/** A place with nothing in it yet: what belongs here, and one step to take. */
export function EmptyState({
  icon,
  title,
  isPage = false,
  children,
  action,
}: {
  icon?: IconName;
  title: string;
  /** It is all that the page shows, so its title is the page's. */
  isPage?: boolean;
  children?: ReactNode;
  action?: ReactNode;
}) {
  const Heading = isPage ? "h1" : "h2";
  return (
    <div className="mx-auto flex max-w-96 flex-col items-center gap-1 px-4 py-10 text-center">
      {icon !== undefined && (
        <span className="mb-2 inline-flex size-10 items-center justify-center rounded-lg border bg-surface text-muted">
          <Icon name={icon} size={20} />
        </span>
      )}
      <Heading className="text-base font-semibold">{title}</Heading>
      {children !== undefined && <div className="text-muted">{children}</div>}
      {action !== undefined && <div className="mt-3 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}
