import { useId } from "react";
import { Icon } from "../icons/icon.tsx";
import { Input } from "./input.tsx";

interface SearchFieldProps {
  /** What is searched, as in "workflows". */
  what: string;
  value: string;
  onChange: (text: string) => void;
  /** What a search here cannot find. */
  note?: string | undefined;
  className?: string;
}

/** The search of a list. */
export function SearchField({ what, value, onChange, note, className }: SearchFieldProps) {
  const noteId = useId();
  return (
    <div className={className}>
      <div className="relative">
        <span className="pointer-events-none absolute inset-y-0 left-2 flex items-center text-faint">
          <Icon name="search" />
        </span>
        <Input
          type="search"
          aria-describedby={note === undefined ? undefined : noteId}
          aria-label={`Search ${what}`}
          placeholder={`Search ${what}`}
          className="pl-8"
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      </div>
      {note !== undefined && (
        <p id={noteId} className="mt-1 text-xs text-muted">
          {note}
        </p>
      )}
    </div>
  );
}
