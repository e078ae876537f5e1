import { z } from "zod/mini";
import { field } from "../../engine/config/field.ts";
import { defineNode } from "../../engine/document/define-node.ts";
import { one, out } from "../../engine/document/ports.ts";
import { nowhere } from "../../engine/document/reach.ts";
import { RunError } from "../../engine/errors.ts";
import { waitUntil } from "../../engine/run/wait-until.ts";

/** A wait's length, such as "3 days" or "1 hour". */
function lengthWords(amount: unknown, unit: unknown): string {
  return `${String(amount)} ${amount === 1 ? String(unit).replace(/s$/, "") : String(unit)}`;
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

export const wait = defineNode({
  type: "wait",
  version: 1,
  role: "flow",
  title: "Wait",
  summary: "Pauses the run for a while, or until a set time.",
  keywords: ["delay", "sleep", "pause", "timer", "date", "until", "minutes", "hours", "later"],
  icon: "hourglass",
  config: z.object({
    mode: field(z._default(z.enum(["for", "until"]), "for"), {
      label: "Continue",
      help: "Pin the output to skip the wait while you test.",
      optionTitles: { for: "After some time", until: "At a date and time" },
    }),
    amount: field(z._default(z.number().check(z.minimum(0), z.maximum(100_000)), 5), {
      label: "Wait for",
      help: "At most 366 days.",
      visibleWhen: { field: "mode", in: ["for"] },
    }),
    unit: field(z._default(z.enum(["seconds", "minutes", "hours", "days"]), "minutes"), {
      label: "Unit",
      help: "A day is 24 hours.",
      visibleWhen: { field: "mode", in: ["for"] },
    }),
    until: field(z._default(z.string().check(z.maxLength(1_000)), ""), {
      label: "Date and time",
      help: "With a time zone, such as 2030-01-31T08:00:00+01:00. A time in the past continues at once.",
      template: "text",
      required: true,
      visibleWhen: { field: "mode", in: ["until"] },
    }),
  }),
  inputs: { main: one("main", { label: "Input" }) },
  outputs: { main: out("main", { label: "Output" }) },
  reach: nowhere,
  describe: ({ mode, amount, unit, until }) =>
    mode === "until" ? `Until ${String(until)}` : `For ${lengthWords(amount, unit)}`,
  /** Waits, and gives the input on. */
  async run(context) {
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
  },
});
