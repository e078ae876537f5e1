import { type ReactNode, useEffect, useRef } from "react";
import { Icon, type IconName } from "../icons/icon.tsx";
import { isEnter } from "./composing.ts";

/** The head of a drawer: a search, which has the focus once the drawer is open, and buttons at its right. */
export function SearchHead({
  icon,
  label,
  value,
  onChange,
  onEnter,
  children,
}: {
  icon: IconName;
  /** What the search looks for; its placeholder as well. */
  label: string;
  value: string;
  onChange: (text: string) => void;
  onEnter?: () => void;
  children: ReactNode;
}) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  return (
    <header className="flex h-11 shrink-0 items-center gap-1 border-b pr-1.5 pl-3">
      <span className="text-muted">
        <Icon name={icon} />
      </span>
      <input
        ref={input}
        type="search"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (isEnter(event)) onEnter?.();
        }}
        placeholder={label}
        aria-label={label}
        className="h-full min-w-0 flex-1 bg-transparent px-1 text-sm outline-none placeholder:text-faint [&::-webkit-search-cancel-button]:hidden"
      />
      {children}
    </header>
  );
}
