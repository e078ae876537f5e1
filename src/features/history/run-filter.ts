import type { RunFilter, StoredRunStatus } from "../../services/services.ts";
import { runStatusLooks } from "../../state/run/run-status-text.ts";

/** What the filters over the list stand at, as it is kept in the address; empty texts filter nothing. */
export interface RunSearch {
  workflow: string;
  status: string;
  text: string;
  /** Runs that tests made: left out when empty, "only", or "with" all others. */
  tests: string;
  /** Days of this browser's time zone, `YYYY-MM-DD`; both are included. */
  from: string;
  to: string;
}

export const noSearch: RunSearch = { workflow: "", status: "", text: "", tests: "", from: "", to: "" };

/** Reads the address; what it cannot hold counts as absent. */
export function readSearch(search: URLSearchParams): RunSearch {
  const status = search.get("status") ?? "";
  const day = (name: string) => {
    const text = search.get(name) ?? "";
    return startOf(text) === undefined ? "" : text;
  };
  return {
    workflow: /^[0-9a-f-]{36}$/i.exec(search.get("workflow") ?? "")?.[0] ?? "",
    status: Object.hasOwn(runStatusLooks, status) ? status : "",
    text: search.get("text") ?? "",
    tests: Object.hasOwn(trialsOf, search.get("tests") ?? "") ? (search.get("tests") ?? "") : "",
    from: day("from"),
    to: day("to"),
  };
}

/** The parts of the address that say something. */
export function writeSearch(search: RunSearch): Record<string, string> {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== ""));
}

export function isFiltered(search: RunSearch): boolean {
  return Object.values(search).some((value) => value !== "");
}

/** The filter as the database takes it. */
export function toFilter({ workflow, status, text, tests, from, to }: RunSearch): RunFilter {
  const statuses = storedStatuses.filter((each) => each === status);
  const trials = tests === "" ? false : trialsOf[tests];
  const [first, last] = [startOf(from), startOf(to, 1)];
  return {
    ...(workflow === "" ? {} : { workflowId: workflow }),
    ...(statuses.length === 0 ? {} : { statuses }),
    ...(trials === undefined ? {} : { trials }),
    ...(text.trim() === "" ? {} : { text: text.trim() }),
    ...(first === undefined ? {} : { from: first }),
    ...(last === undefined ? {} : { to: last }),
  };
}

const trialsOf: Readonly<Record<string, boolean | undefined>> = { only: true, with: undefined };

const storedStatuses: readonly StoredRunStatus[] = [
  "queued",
  "running",
  "waiting",
  "completed",
  "failed",
  "cancelled",
  "interrupted",
];

/** When a day begins here, or the one so many days after it. */
function startOf(day: string, later = 0): string | undefined {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day);
  if (parts === null) return undefined;
  const date = new Date(Number(parts[1]), Number(parts[2]) - 1, Number(parts[3]) + later);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
