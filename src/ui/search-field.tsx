import { classNames } from "./class-names.ts";
import { Icon } from "./icon.tsx";
import { Input } from "./input.tsx";

interface SearchFieldProps {
  /** What is searched, as in "workflows". */
  what: string;
  value: string;
  onChange: (text: string) => void;
  className?: string;
}

/** The search of a list. */
export function SearchField({ what, value, onChange, className }: SearchFieldProps) {
  return (
    <div className={classNames("relative", className)}>
      <span className="pointer-events-none absolute inset-y-0 left-2 flex items-center text-faint">
        <Icon name="search" />
      </span>
      <Input
        type="search"
        aria-label={`Search ${what}`}
        placeholder={`Search ${what}`}
        className="pl-8"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}
