import { expect, it } from "vitest";
import type { RunEvent } from "../../src/engine/run/events.ts";
import { openMetricsText } from "./open-metrics.ts";
import { queueMetrics } from "./queue-metrics.ts";
import { addWork, countEvent, noWork, workMetrics } from "./work-figures.ts";

it("writes counters, gauges, units and odd labels as OpenMetrics", () => {
  const text = openMetricsText([
    { name: "a", kind: "gauge", help: 'One "line"\nor \\ two.', values: [{ labels: { b: 'c"\\\n' }, value: 0.5 }] },
    { name: "d_seconds", kind: "counter", help: "Time.", values: [{ value: 2 }] },
  ]);
  expect(text).toBe(`# TYPE a gauge
# HELP a One \\"line\\"\\nor \\\\ two.
a{b="c\\"\\\\\\n"} 0.5
# TYPE d_seconds counter
# UNIT d_seconds seconds
# HELP d_seconds Time.
d_seconds_total 2
# EOF
`);
});

it("counts what happens once: calls, tokens, cost and ends, not what a resumed run is served from its log", () => {
  const usage = { inputTokens: 10, outputTokens: 5 };
  const happened = [
    { type: "model-response", usage, costUsd: 0.5 },
    { type: "model-response", usage, costUsd: 0.5, replayed: true },
    { type: "model-response", costUsd: null, error: { code: "internal" } },
    { type: "embedding", usage: { inputTokens: 3, outputTokens: 0 }, costUsd: 0.25 },
    { type: "tool-call-end", ok: true },
    { type: "tool-call-end", ok: false },
    { type: "run-end", outcome: "failed" },
  ];
  const work = noWork();
  for (const event of happened) countEvent(work, event as unknown as RunEvent);
  expect(work).toMatchObject({ modelCalls: 2, modelFailures: 1, toolCalls: 1, toolFailures: 1, runsFailed: 1 });
  expect(work).toMatchObject({ inputTokens: 13, outputTokens: 5, cost: 0.75 });
  const news = noWork();
  addWork(news, work, { ...noWork(), inputTokens: 10 });
  expect([news.inputTokens, news.modelCalls]).toEqual([3, 2]);
  expect(openMetricsText(workMetrics(work))).toContain('switchyard_tokens_total{direction="input"} 13\n');
});

it.each([
  ["refuses", () => Promise.reject(new Error("away"))],
  ["says nothing", () => new Promise(() => {})],
])("tells no more than that the database is away when it %s", async (_how, ask) => {
  const metrics = await queueMetrics(ask, 1);
  expect(metrics.map(({ name, values }) => [name, values])).toEqual([["switchyard_database_up", [{ value: 0 }]]]);
});
