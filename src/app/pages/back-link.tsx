import type { ReactNode } from "react";
import { Link } from "wouter";
import { Icon } from "../../ui/icons/icon.tsx";

/** The way to the page above, over a heading. */
export function BackLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link
      href={href}
      className="-ml-1 inline-flex max-w-full items-center gap-0.5 rounded-sm pr-1 text-muted hover:text-ink hover:underline"
    >
      <Icon name="chevron-left" />
      <span className="truncate">{children}</span>
    </Link>
  );
}
