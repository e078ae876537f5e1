import { classNames } from "../../ui/theme/class-names.ts";
import type { CostSum } from "../../services/services.ts";
import { costText, type Measure, measureLooks } from "./measure.ts";
import { ScrolledTable } from "../../ui/layout/scrolled-table.tsx";

const whole = new Intl.NumberFormat("en");

interface CostTableProps {
  title: string;
  /** What each row is. */
  each: "Workflow" | "Model" | "Day";
  sums: readonly CostSum[];
  nameOf: (sum: CostSum) => string;
  measure: Measure;
  /** Left out where it is not known how many runs there were. */
  withRuns?: boolean;
}

/** Figures in a table, each row with a bar that shows its part. */
export function CostTable({ title, each, sums, nameOf, measure, withRuns = true }: CostTableProps) {
  const { of } = measureLooks[withRuns || measure !== "runs" ? measure : "cost"];
  const most = Math.max(...sums.map(of), 0);
  return (
    <ScrolledTable label={title} className="rounded-lg border bg-surface">
      <table className="w-full text-left text-sm numeric">
        <caption className="px-4 pt-3 pb-1 text-left text-base font-semibold">{title}</caption>
        <thead className="text-xs text-muted">
          <tr className="border-b">
            <th scope="col" className="px-4 py-1 font-normal">
              {each}
            </th>
            {withRuns && <Head wideOnly>Runs</Head>}
            <Head wideOnly>Model calls</Head>
            <Head wideOnly>Tokens in</Head>
            <Head wideOnly>Tokens out</Head>
            <Head>Cost</Head>
          </tr>
        </thead>
        <tbody>
          {sums.map((sum) => (
            <tr key={`${sum.provider} ${sum.key ?? ""}`} className="border-b last:border-b-0">
              <th scope="row" className="min-w-28 px-4 py-1.5 font-normal sm:min-w-36">
                <span dir="auto" className="block text-left wrap-anywhere">
                  {nameOf(sum)}
                </span>
                <span className="block text-xs text-muted sm:hidden">
                  {whole.format(sum.inputTokens)} tokens in, {whole.format(sum.outputTokens)} out
                </span>
                <svg aria-hidden viewBox="0 0 100 2" preserveAspectRatio="none" className="h-1 w-full">
                  <rect width={most > 0 ? (of(sum) / most) * 100 : 0} height={2} className="fill-accent" />
                </svg>
              </th>
              {withRuns && <Cell wideOnly>{whole.format(sum.runs)}</Cell>}
              <Cell wideOnly>{whole.format(sum.calls)}</Cell>
              <Cell wideOnly>{whole.format(sum.inputTokens)}</Cell>
              <Cell wideOnly>{whole.format(sum.outputTokens)}</Cell>
              <Cell>{sum.calls === 0 ? "" : costText(sum)}</Cell>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrolledTable>
  );
}

interface ColumnProps {
  /** Left out on a phone, so that the cost is in sight; the tokens stand under the name there. */
  wideOnly?: boolean;
  children: string;
}

function Head({ wideOnly = false, children }: ColumnProps) {
  return (
    <th
      scope="col"
      className={classNames("px-2 py-1 text-right font-normal whitespace-nowrap sm:px-4", wideOnly && "max-sm:hidden")}
    >
      {children}
    </th>
  );
}

function Cell({ wideOnly = false, children }: ColumnProps) {
  return (
    <td className={classNames("px-2 py-1.5 text-right whitespace-nowrap sm:px-4", wideOnly && "max-sm:hidden")}>
      {children}
    </td>
  );
}
