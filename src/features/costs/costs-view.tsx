import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import type { CostSum } from "../../services/services.ts";
import { useServices } from "../../services/services-context.tsx";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { LoadFailure } from "../../ui/feedback/load-failure.tsx";
import { Select } from "../../ui/fields/select.tsx";
import { fillDays, lastDays, sumName } from "./cost-sums.ts";
import { CostTable } from "./cost-table.tsx";
import { DayChart, dayWords } from "./day-chart.tsx";
import { costText, type Measure, measureLooks, measures } from "./measure.ts";

const ranges = [
  { value: "7", label: "Last 7 days" },
  { value: "30", label: "Last 30 days" },
  { value: "90", label: "Last 90 days" },
  { value: "365", label: "Last 12 months" },
];

/** Workflows and models that have a row each; the others share one. */
const mostRows = 50;

/** Days are those of this place. */
const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();

/** What stored runs cost: by day, workflow and model. */
export function CostsView() {
  const { runs } = useServices();
  const [range, setRange] = useState("30");
  const [chosen, setChosen] = useState<Measure | null>(null);
  const [now] = useState(() => new Date());
  const { days, from, to } = useMemo(() => lastDays(Number(range), now), [range, now]);
  const found = useQuery({
    queryKey: ["runs", "costs", from, to, timeZone],
    queryFn: () => runs.costs({ from, to, timeZone, most: mostRows }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  const { total, workflows = [], models = [] } = found.data ?? {};
  const daily = fillDays(found.data?.days ?? [], days);
  // A chart of costs is empty where every model is free.
  const measure = chosen ?? (total?.costUsd === 0 ? "tokens" : "cost");

  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-wrap gap-2">
        <Select aria-label="Range" className="w-auto!" value={range} options={ranges} onValueChange={setRange} />
        <Select
          aria-label="Measure"
          className="w-auto!"
          value={measure}
          options={measures.map((value) => ({ value, label: measureLooks[value].label }))}
          onValueChange={(value) => setChosen(measures.find((each) => each === value) ?? "cost")}
        />
      </div>
      {found.isError && <LoadFailure error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <div role="status" aria-label="Adding up costs" className="skeleton h-40" />}
      {total?.runs === 0 && (
        <EmptyState icon="chart-column" title="No run in this time">
          Costs are the sum of stored runs. Deleted runs no longer count.
        </EmptyState>
      )}
      {total !== undefined && total.runs > 0 && (
        <>
          <Totals total={total} />
          <section aria-label="By day" className="rounded-lg border bg-surface px-4 py-3">
            <DayChart days={daily} measure={measure} />
          </section>
          <CostTable
            title="By workflow"
            each="Workflow"
            sums={workflows}
            nameOf={(sum) => sumName(sum, "workflow")}
            measure={measure}
          />
          {models.length > 0 && (
            <CostTable
              title="By model"
              each="Model"
              sums={models}
              nameOf={(sum) => sumName(sum, "model")}
              measure={measure}
              withRuns={false}
            />
          )}
          <CostTable
            title="By day"
            each="Day"
            nameOf={({ name }) => dayWords(name)}
            sums={daily.filter(({ runs: count, calls }) => count > 0 || calls > 0).toReversed()}
            measure={measure}
          />
          <p className="text-xs text-muted">
            Added up from stored runs, those of tests included, with the prices that Switchyard knows; what a vendor
            bills may differ. What was served from a recording is free.
          </p>
        </>
      )}
    </div>
  );
}

function Totals({ total }: { total: CostSum }) {
  const figures = [
    ["Cost", total.calls === 0 ? "$0" : costText(total)],
    ["Tokens", measureLooks.tokens.words(total)],
    ["Model calls", total.calls.toLocaleString("en")],
    ["Runs", total.runs.toLocaleString("en")],
  ] as const;
  return (
    <dl className="grid grid-cols-2 gap-3 sm:grid-cols-4">
      {figures.map(([name, value]) => (
        <div key={name} className="rounded-lg border bg-surface px-4 py-3">
          <dt className="text-xs text-muted">{name}</dt>
          <dd className="text-lg font-semibold numeric">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
