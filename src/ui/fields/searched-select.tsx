import type { ComponentProps } from "react";
import { Input } from "./input.tsx";
import { Select } from "./select.tsx";
import { isEnter } from "./composing.ts";

interface SearchedSelectProps extends ComponentProps<typeof Select> {
  /** What is chosen from, as in "workflows". */
  what: string;
  search: string;
  onSearch: (search: string) => void;
  /** How many fit the search; the options may be only the first of them. */
  total: number;
  /** Of the options that fit, the first; Enter in the search chooses it. */
  first: string | undefined;
  /** Whether the list is longer than its options, whatever is searched. */
  long: boolean;
}

/** A choice from a list that may be long: then a search above it decides what the list offers. */
export function SearchedSelect(props: SearchedSelectProps) {
  const { what, search, onSearch, total, first, long, ...select } = props;
  if (!long) return <Select {...select} />;
  const { options, onValueChange } = select;
  const hidden = total - options.filter(({ value }) => value !== "").length;
  const more = { value: "\u0000more", label: `${hidden.toLocaleString("en")} more: search for them`, disabled: true };
  return (
    <div className="flex min-w-0 flex-1 flex-col gap-1.5">
      <Input
        type="search"
        aria-label={`Search ${what}`}
        placeholder={`Search ${what}`}
        value={search}
        onChange={(event) => onSearch(event.target.value)}
        onKeyDown={(event) => {
          if (!isEnter(event)) return;
          event.preventDefault();
          if (first !== undefined) onValueChange(first);
        }}
      />
      <Select {...select} options={hidden > 0 ? [...options, more] : options} />
      <span role="status" className="text-xs text-muted numeric">
        {search === "" ? `${total.toLocaleString("en")} ${what}` : `${total.toLocaleString("en")} found`}
      </span>
    </div>
  );
}
