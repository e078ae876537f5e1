import { z } from "zod/mini";
import { field } from "../../engine/config/field.ts";
import { defineNode } from "../../engine/document/define-node.ts";
import { nowhere } from "../../engine/document/reach.ts";
import { out } from "../../engine/document/ports.ts";
import { isJsonObject, type Json, type JsonObject } from "../../engine/json.ts";
import { isTimeZone, readCron } from "../../engine/publish/cron.ts";
import { describeCron } from "../../engine/publish/describe-cron.ts";
import type { Schedule } from "../../engine/publish/schedule.ts";

const cron = z.string().check(
  z.maxLength(200),
  z.superRefine((text, context) => {
    const read = readCron(text);
    if (!read.ok) context.addIssue({ code: "custom", message: read.problem });
  }),
);

const timeZone = z
  .string()
  .check(
    z.maxLength(100),
    z.refine(isTimeZone, { message: "There is no such time zone. Use a name such as Europe/Berlin." }),
  );

const config = z.object({
  cron: field(z._default(cron, "0 8 * * *"), {
    label: "When",
    help: "Cron: minute, hour, day of the month, month, day of the week.",
    control: "schedule",
    required: true,
  }),
  timeZone: field(z._default(timeZone, Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC"), {
    label: "Time zone",
    help: "Daylight saving time is followed: 8:00 stays 8:00.",
    control: "time-zone",
    required: true,
  }),
  missed: field(z._default(z.enum(["skip", "once"]), "skip"), {
    label: "Times missed while no worker was there",
    help: "What happens to times at which no server was running. A time counts as missed once it is a minute late.",
    optionTitles: { skip: "Leave them out", once: "Run once for all of them" },
  }),
});

function scheduleOf(stored: JsonObject): Schedule | undefined {
  const read = config.safeParse(stored);
  return read.success ? read.data : undefined;
}

export const scheduleTrigger = defineNode({
  type: "schedule-trigger",
  version: 1,
  role: "trigger",
  startedBy: "schedule",
  title: "Schedule trigger",
  summary: "Starts the published workflow at times that you set.",
  keywords: [
    "start",
    "cron",
    "timer",
    "interval",
    "daily",
    "every hour",
    "every day",
    "every week",
    "every month",
    "weekly",
    "hourly",
    "monthly",
    "morning",
    "recurring",
    "date",
    "time",
    "calendar",
    "today",
  ],
  icon: "clock",
  config,
  inputs: {},
  outputs: { main: out("main", { label: "Output" }) },
  reach: nowhere,
  describe: (stored) => {
    const schedule = scheduleOf(stored);
    return schedule === undefined ? "" : describeCron(schedule.cron);
  },
  accepts: (input) => isJsonObject(input) && typeof input.scheduledAt === "string",
  schedule: scheduleOf,
  outputKeys: () => ["scheduledAt"],
  run: ({ json, host }): Json => {
    const given = isJsonObject(json) ? json : {};
    return typeof given.scheduledAt === "string"
      ? given
      : { ...given, scheduledAt: new Date(host.now()).toISOString() };
  },
});
