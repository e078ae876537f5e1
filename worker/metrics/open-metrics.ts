import { createHash, timingSafeEqual } from "node:crypto";

/** One figure of a process, with a value for each of its labels' values. Counters only grow while the process lives. */
export interface Metric {
  /** Without the ending `_total` of a counter. A name that ends in `_seconds` or `_dollars` has that unit. */
  name: string;
  kind: "counter" | "gauge";
  help: string;
  values: readonly { labels?: Readonly<Record<string, string>>; value: number }[];
}

export const openMetricsType = "application/openmetrics-text; version=1.0.0; charset=utf-8";

const units = ["seconds", "dollars"];

/** The text of metrics in OpenMetrics 1.0 (https://prometheus.io/docs/specs/om/open_metrics_spec/). */
export function openMetricsText(metrics: readonly Metric[]): string {
  const lines = metrics.flatMap(({ name, kind, help, values }) => {
    const unit = units.filter((ending) => name.endsWith(`_${ending}`)).map((ending) => `# UNIT ${name} ${ending}`);
    const sample = kind === "counter" ? `${name}_total` : name;
    const samples = values.map(({ labels = {}, value }) => `${sample}${labelText(labels)} ${value}`);
    return [`# TYPE ${name} ${kind}`, ...unit, `# HELP ${name} ${escaped(help)}`, ...samples];
  });
  return [...lines, "# EOF", ""].join("\n");
}

function labelText(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length > 0 ? `{${pairs.join(",")}}` : "";
}

function escaped(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"');
}

/** Whether a header `Authorization` carries the token. Nothing does where there is none. */
export function carriesToken(authorization: string | null | undefined, token: string | undefined): boolean {
  const given = /^Bearer (\S+)$/i.exec(authorization ?? "")?.[1];
  if (!token || given === undefined) return false;
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(token));
}

/** Why metrics are refused to whoever brings no token. */
export const needsToken =
  "Metrics are given to whoever sends Authorization: Bearer <token>, with the token of STUDIO_METRICS_TOKEN.";
