import type { Row } from "./measure.ts";
import { shown } from "./shown.ts";

/** The measurements of one bench, as a section of `docs/performance.md`. */
export interface Section {
  id: string;
  title: string;
  rows: readonly Row[];
}

const intro = `# How fast it is

Measured against the same work without Switchyard (bare), in the same run. \`npm run bench -- --only <names> --write\` measures
again and writes these tables; \`npm run bench -- --help\` lists the names.
`;

/**
 * The page with these sections in the place of earlier ones of the same bench; all others stay as they are.
 * `date`: when they were measured, and on what.
 */
export function performancePage(page: string, sections: readonly Section[], date: string): string {
  const kept = new Map<string, string>();
  for (const part of page.split(/^(?=<!-- bench: )/m).slice(1)) {
    const id = /^<!-- bench: (\S+) -->/.exec(part)?.[1];
    if (id !== undefined) kept.set(id, part.trim());
  }
  for (const { id, title, rows } of sections) {
    kept.set(id, `<!-- bench: ${id} -->\n\n## ${title}\n\n${date}\n\n${tableOf(rows)}`);
  }
  return `${[intro.trim(), ...kept.values()].join("\n\n")}\n`;
}

function tableOf(rows: readonly Row[]): string {
  const head = ["what", "Switchyard", "bare", "ratio", "goal"];
  const body = rows.map((row) => [
    row.name,
    shown(row.value, row.unit),
    row.baseline === undefined ? "" : shown(row.baseline, row.unit),
    row.ratio === undefined ? "" : row.ratio.toFixed(2),
    row.met ? row.goal : `${row.goal}, missed`,
  ]);
  const cells = [head, ...body].map((line) => line.map((cell) => cell.replaceAll("|", "\\|")));
  const widths = head.map((_, column) => Math.max(3, ...cells.map((line) => line[column]?.length ?? 0)));
  const lineOf = (line: readonly string[]) =>
    `| ${line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  const [first = [], ...rest] = cells;
  return [lineOf(first), lineOf(widths.map((width) => "-".repeat(width))), ...rest.map(lineOf)].join("\n");
}
