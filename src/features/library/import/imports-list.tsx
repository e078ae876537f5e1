import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { openWords, sourceWords } from "../../../state/document/import-text.ts";
import { type ImportedWorkflow, type OpenImport, openImports } from "../../../services/services.ts";
import { useServices } from "../../../services/services-context.tsx";
import { nodePath } from "../../../state/editor/show-node.ts";
import { usePages, useSettled } from "../../../state/shared/use-pages.ts";
import { Badge, type BadgeTone } from "../../../ui/feedback/badge.tsx";
import { Button } from "../../../ui/buttons/button.tsx";
import { EmptyState } from "../../../ui/feedback/empty-state.tsx";
import { ListSkeleton } from "../../../ui/feedback/list-skeleton.tsx";
import { LoadFailure } from "../../../ui/feedback/load-failure.tsx";
import { LoadMore } from "../../../ui/feedback/load-more.tsx";
import { SearchField } from "../../../ui/fields/search-field.tsx";
import { Select } from "../../../ui/fields/select.tsx";
import { relativeTime } from "../../../ui/text/relative-time.ts";
import { useNow } from "../../../ui/text/use-now.ts";

type Filter = OpenImport | "any" | "none" | "";

const filters: readonly { value: Filter; label: string }[] = [
  { value: "", label: "All imports" },
  { value: "any", label: "Something to do" },
  ...openImports.map((value) => ({ value, label: openWords[value].filter })),
  { value: "none", label: "Nothing left to do" },
];

const tones: Readonly<Record<OpenImport, BadgeTone>> = {
  placeholder: "danger",
  needsCredential: "warning",
  approximated: "neutral",
};

/** The workflows that came from elsewhere, with what is still to do about each. */
export function ImportsList() {
  const { workflows } = useServices();
  const now = useNow();
  const [filter, setFilter] = useState<Filter>("");
  const [text, setText] = useState("");
  const search = useSettled(text);
  const list = usePages(["workflows", "imports", filter, search], (request) =>
    workflows.imports({ ...request, search, open: filter === "" ? null : filter }),
  );
  const totals = useQuery({
    queryKey: ["workflows", "imports", "totals", search],
    queryFn: () =>
      Promise.all(
        filters.map(async ({ value }) => {
          const { total } = await workflows.imports({ limit: 1, search, open: value === "" ? null : value });
          return total;
        }),
      ),
    placeholderData: (before) => before,
  });
  const rows = list.rows ?? [];
  const isFiltered = filter !== "" || search !== "";

  return (
    <section aria-labelledby="imported" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <h2 id="imported" className="mr-auto text-lg font-semibold">
          Imported
        </h2>
        {(rows.length > 0 || isFiltered) && (
          <>
            <SearchField what="imports" value={text} onChange={setText} className="min-w-36 flex-1 sm:max-w-60" />
            <Select
              aria-label="Filter by what is left to do"
              className="w-48!"
              value={filter}
              onValueChange={(value) => setFilter(filters.find((known) => known.value === value)?.value ?? "")}
              options={filters.map(({ value, label }, index) => ({
                value,
                label: withTotal(label, totals.data?.[index]),
              }))}
            />
          </>
        )}
      </div>
      {list.isPending && <ListSkeleton label="Loading imports" />}
      {list.isError && <LoadFailure error={list.error} onRetry={() => void list.refetch()} />}
      {list.data !== undefined && rows.length === 0 && (
        <EmptyState
          icon={isFiltered ? "search" : "upload"}
          title={isFiltered ? "No imports match" : "Nothing has been imported yet"}
          action={
            isFiltered && (
              <Button
                onClick={() => {
                  setFilter("");
                  setText("");
                }}
              >
                Show all
              </Button>
            )
          }
        >
          {isFiltered ? undefined : "Workflows imported from other builders are listed here, with what is left to do."}
        </EmptyState>
      )}
      {rows.length > 0 && (
        <ul className="overflow-hidden rounded-lg border bg-surface">
          {rows.map((one) => (
            <Row key={one.id} imported={one} now={now} />
          ))}
        </ul>
      )}
      <LoadMore
        shown={rows.length}
        total={list.first?.total ?? 0}
        what="imports"
        busy={list.isFetchingNextPage}
        onMore={list.hasNextPage ? () => void list.fetchNextPage() : undefined}
      />
    </section>
  );
}

/** `Needs a credential (3)`; the label alone while it is not known how many there are. */
function withTotal(label: string, total: number | undefined): string {
  return total === undefined ? label : `${label} (${total.toLocaleString("en")})`;
}

function Row({ imported, now }: { imported: ImportedWorkflow; now: number }) {
  const { id, name, format, received, nodes, open, first, createdAt } = imported;
  const kinds = openImports.filter((kind) => open[kind] > 0);
  const from = `${received ? "A file, originally from" : "From"} ${sourceWords(format, nodes)}`;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1.5 border-b px-4 py-2.5 last:border-b-0">
      <div className="min-w-40 flex-1">
        <Link href={`/w/${id}`} dir="auto" className="block truncate font-medium hover:underline">
          {name}
        </Link>
        <p className="text-xs text-muted">
          {from} · {relativeTime(Date.parse(createdAt), now)}
        </p>
      </div>
      <span className="flex flex-wrap gap-1">
        {kinds.map((kind) => (
          <Badge key={kind} tone={tones[kind]}>
            {open[kind]} {open[kind] === 1 ? openWords[kind].one : openWords[kind].many}
          </Badge>
        ))}
        {kinds.length === 0 && (
          <Badge tone="success" icon="check">
            Nothing left to do
          </Badge>
        )}
      </span>
      {first !== null && (
        <Button asChild size="sm">
          <Link href={nodePath(id, first)} aria-label={`Continue with ${name}`}>
            Continue
          </Link>
        </Button>
      )}
    </li>
  );
}
