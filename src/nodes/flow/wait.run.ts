import type { RunContext } from "../../engine/document/define-node.ts";
import type { Json } from "../../engine/json.ts";
import { RunError } from "../../engine/errors.ts";
import { waitUntil } from "../../engine/run/wait-until.ts";

/** The settings of the node, once parsed. */
interface WaitConfig {
  mode: "for" | "until";
  amount: number;
  unit: keyof typeof unitMs;
  until: string;
}

const unitMs = { seconds: 1_000, minutes: 60_000, hours: 3_600_000, days: 86_400_000 };

const longestMs = 366 * unitMs.days;

/** Milliseconds since 1970 of an ISO 8601 text, or of a number of them. */
function readMoment(text: string): number {
  const moment = /^\d{11,}$/.test(text) ? Number(text) : Date.parse(text);
  if (!Number.isNaN(moment)) return moment;
  throw new RunError({
    code: "invalid_config",
    message: `“${text.slice(0, 100)}” is not a date and time.`,
    hint: "Use one such as 2030-01-31T08:00:00Z, or an expression that gives one.",
  });
}

/** Waits, and gives the input on. */
export async function run(context: RunContext<WaitConfig, unknown>): Promise<Json> {
  const { config, json, node, run, host, signal, emit } = context;
  const now = host.now();
  const until = config.mode === "until" ? readMoment(config.until) : now + config.amount * unitMs[config.unit];
  if (until - now > longestMs) {
    throw new RunError({
      code: "invalid_config",
      message: "The wait is longer than 366 days.",
      hint: "Choose a shorter one, or start the workflow by a schedule.",
    });
  }
  if (until <= now) return json;
  const callId = ["wait", node.id, ...run.items].join(":");
  emit({ type: "wait-start", nodeId: node.id, callId, until });
  await waitUntil(host, { waitId: callId, nodeId: node.id, until }, signal);
  emit({ type: "wait-end", nodeId: node.id, callId });
  return json;
}
