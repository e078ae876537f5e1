import { expect, it } from "vitest";
import type { EventOf, RunEvent } from "../../engine/run/events.ts";
import { runWorkflow } from "../../engine/run/run-workflow.ts";
import { buildWorkflow } from "../../engine/testing/build-workflow.ts";
import { testHost } from "../../engine/testing/test-host.ts";
import { nodeRegistry } from "../index.ts";

const runId = "00000000-0000-4000-8000-00000000feed";
const deadline = 10_000;

/** Counts up to a time, for one item after the other; the second one has no time left. */
const document = (asked: "after" | "before") =>
  buildWorkflow({
    nodes: {
      start: ["manual-trigger"],
      each: ["for-each", { items: '{{[{"count": 0}, {"count": 0}]}}', concurrency: 1 }],
      repeat: ["repeat", { until: `{{millis(now) >= ${deadline}}}`, asked, mostTurns: 500 }],
      count: ["set-fields", { fields: { count: "{{json.count + 1}}" } }],
      after: ["set-fields", { fields: { seen: "{{json.count}}" } }],
    },
    edges: [
      "start.main -> each.main",
      "each.main -> repeat.main",
      "repeat.main -> count.main",
      "repeat.done -> after.main",
    ],
  });

/** The events of a run, or of one that goes on with what was written. Time goes on whenever it is asked for. */
async function eventsOf(asked: "after" | "before", startsAt: number, written: readonly RunEvent[] = []) {
  let now = startsAt;
  const host = { ...testHost(), now: () => (now += 100) };
  const resume = written.length > 0 ? { resume: { events: written, attempt: 2 } } : {};
  const events: RunEvent[] = [];
  const run = runWorkflow(document(asked), { registry: nodeRegistry, host, runId, input: {}, ...resume });
  for await (const event of run) events.push(event);
  return events;
}

const intoTurn = "repeat.main -> count.main";
const isEnd = (event: RunEvent): event is EventOf<"run-end"> => event.type === "run-end";
const counted = (events: readonly RunEvent[]) => events.find(isEnd)?.output;

/** How many turns were begun for an item. */
const turnsIn = (events: readonly RunEvent[], item: number) =>
  events.filter((event) => event.type === "edge-pass" && event.edgeId === intoTurn && event.outerItems?.[0] === item)
    .length;

it.each(["after", "before"] as const)(
  "S80 a resumed run makes the turns that it made, though the condition (%s a turn) is about the time",
  async (asked) => {
    const whole = await eventsOf(asked, 0);
    const least = asked === "after" ? 1 : 0;
    const outputs = (counts: readonly number[]) => counts.map((count) => ({ count, seen: count }));
    const turns = turnsIn(whole, 0);
    expect(turns).toBeGreaterThan(3);
    expect(counted(whole)).toEqual(outputs([turns, least]));
    // Broken off after each event, and taken up when the time is long over.
    for (let length = 1; length < whole.length; length += 1) {
      const written = whole.slice(0, length);
      const resumed = await eventsOf(asked, 20 * deadline, written);
      const made = [0, 1].map((item) => Math.max(least, turnsIn(written, item)));
      expect(counted(resumed), `after ${length} events`).toEqual(outputs(made));
      expect(turnsIn([...written, ...resumed], 0), `after ${length} events`).toBe(made[0]);
    }
  },
);
