import { useEffect, useState } from "react";
import { useWorkflowChoices } from "../../state/shared/choices.ts";
import { runStatusText } from "../../state/run/run-status-text.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { Input } from "../../ui/fields/input.tsx";
import { SearchedSelect } from "../../ui/fields/searched-select.tsx";
import { Select } from "../../ui/fields/select.tsx";
import { isFiltered, noSearch, type RunSearch } from "./run-filter.ts";

/** Milliseconds after the last letter until the list is asked. */
const typingPause = 300;

const statusOptions = [
  { value: "", label: "Any status" },
  ...Object.entries(runStatusText).map(([value, label]) => ({ value, label })),
];

const testOptions = [
  { value: "", label: "Without tests" },
  { value: "with", label: "With tests" },
  { value: "only", label: "Tests only" },
];

/** Which runs the list shows: text of the input, status, workflow, whether tests made them, days. */
export function RunFilters({ search, onChange }: { search: RunSearch; onChange: (search: RunSearch) => void }) {
  const { rows, searched } = useWorkflowChoices(search.workflow);
  const options = [{ value: "", label: "All workflows" }, ...rows.map(({ id, name }) => ({ value: id, label: name }))];
  const set = (change: Partial<RunSearch>) => onChange({ ...search, ...change });
  return (
    <div
      role="search"
      aria-label="Filter runs"
      className="flex flex-wrap items-center gap-2 max-sm:grid max-sm:grid-cols-2"
    >
      <TextFilter text={search.text} onChange={(text) => set({ text })} />
      <Select
        aria-label="Status"
        className="w-auto! max-sm:grow max-sm:basis-[40%]"
        value={search.status}
        options={statusOptions}
        onValueChange={(status) => set({ status })}
      />
      <SearchedSelect
        {...searched}
        what="workflows"
        aria-label="Workflow"
        className="w-auto! max-w-44 max-sm:max-w-none max-sm:grow max-sm:basis-[40%]"
        value={options.some(({ value }) => value === search.workflow) ? search.workflow : ""}
        options={options}
        onValueChange={(workflow) => set({ workflow })}
      />
      <Select
        aria-label="Runs of tests"
        className="w-auto! max-sm:col-span-2 max-sm:grow"
        value={search.tests}
        options={testOptions}
        onValueChange={(tests) => set({ tests })}
      />
      <DayFilter label="From" value={search.from} max={search.to} onChange={(from) => set({ from })} />
      <DayFilter label="to" value={search.to} min={search.from} onChange={(to) => set({ to })} />
      {isFiltered(search) && (
        <Button variant="ghost" icon="x" aria-label="Clear filters" onClick={() => onChange(noSearch)}>
          Clear
        </Button>
      )}
    </div>
  );
}

/** Tells what was typed when the typing pauses. */
function TextFilter({ text, onChange }: { text: string; onChange: (text: string) => void }) {
  const [typed, setTyped] = useState<string | null>(null);
  const [seen, setSeen] = useState(text);
  if (seen !== text) {
    setSeen(text);
    setTyped(null);
  }
  useEffect(() => {
    if (typed === null || typed === text) return undefined;
    const timer = setTimeout(() => onChange(typed), typingPause);
    return () => clearTimeout(timer);
  }, [typed, text, onChange]);
  return (
    <Input
      type="search"
      aria-label="Search in inputs"
      placeholder="Search in inputs"
      className="min-w-28 flex-1 max-sm:col-span-2"
      value={typed ?? text}
      onChange={(event) => setTyped(event.target.value)}
    />
  );
}

interface DayFilterProps {
  label: string;
  value: string;
  min?: string;
  max?: string;
  onChange: (day: string) => void;
}

function DayFilter({ label, value, min, max, onChange }: DayFilterProps) {
  return (
    <label className="flex items-center gap-1.5 text-muted max-sm:basis-full">
      {label}
      <Input
        type="date"
        aria-label={label === "to" ? "Until day" : "From day"}
        className="w-36! max-sm:min-w-0 max-sm:w-full!"
        value={value}
        {...(min === "" ? {} : { min })}
        {...(max === "" ? {} : { max })}
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  );
}
