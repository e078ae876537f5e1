import type { ReactNode } from "react";
import type { NodeRole } from "../../engine/document/define-node.ts";
import { Icon } from "../../ui/icons/icon.tsx";
import { classNames } from "../../ui/theme/class-names.ts";
import { roleTint } from "./role-tint.ts";

/** What a line of the palette shows: an icon in the colour of its role, a name, and the whole description. */
export function PaletteLine({
  icon,
  role,
  title,
  summary,
  children,
}: {
  icon: string;
  role: NodeRole;
  title: string;
  summary: string;
  /** At its right. */
  children: ReactNode;
}) {
  return (
    <>
      <span
        className={classNames("inline-flex size-7 shrink-0 items-center justify-center rounded-md", roleTint[role])}
      >
        <Icon name={icon} />
      </span>
      <span className="min-w-0 flex-1">
        <span className="flex items-center gap-1 text-sm font-medium">
          <span className="min-w-0 flex-1 truncate">{title}</span>
          {children}
        </span>
        <span className="block text-xs text-pretty text-muted">{summary}</span>
      </span>
    </>
  );
}

/** A line that opens to others. */
export function PaletteFold({
  open = false,
  children,
  ...line
}: Omit<Parameters<typeof PaletteLine>[0], "children"> & {
  /** Whether it is open at first. */
  open?: boolean;
  children: ReactNode;
}) {
  return (
    <details open={open} className="group/fold">
      <summary className="flex cursor-pointer list-none items-start gap-2.5 rounded-md px-2 py-1.5 hover:bg-hover [&::-webkit-details-marker]:hidden">
        <PaletteLine {...line}>
          <span className="text-faint transition-transform group-open/fold:rotate-180">
            <Icon name="chevron-down" size={14} />
          </span>
        </PaletteLine>
      </summary>
      {children}
    </details>
  );
}
