import { z } from "zod/mini";
import { field } from "../../engine/config/field.ts";
import { defineNode } from "../../engine/document/define-node.ts";
import { one, out } from "../../engine/document/ports.ts";
import { nowhere } from "../../engine/document/reach.ts";

/** A wait's length, such as "3 days" or "1 hour". */
function lengthWords(amount: unknown, unit: unknown): string {
  return `${String(amount)} ${amount === 1 ? String(unit).replace(/s$/, "") : String(unit)}`;
}

export const wait = defineNode({
  type: "wait",
  version: 1,
  role: "flow",
  title: "Wait",
  summary: "Continues after some time, or at a set time. On a server a run can wait for days.",
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
      help: "ISO 8601 with a time zone, such as 2030-01-31T08:00:00+01:00. A time in the past continues at once.",
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
  load: () => import("./wait.run.ts"),
});
