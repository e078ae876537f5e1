import type { Json, JsonObject } from "../../engine/json.ts";
import { isJsonObject } from "../../engine/json.ts";
import { parsed } from "./tool-parameters.ts";
import type { Made, Mappers } from "./made.ts";
import type { NodeWork } from "./node-work.ts";

const two = (value: number | undefined, usual: number) => value ?? usual;

/** One rule of the schedule trigger as a cron line. */
function cronOf(rule: JsonObject): { cron: string; note?: string } {
  const number = (key: string) => (typeof rule[key] === "number" ? rule[key] : undefined);
  const minute = two(number("triggerAtMinute"), 0);
  const hour = two(number("triggerAtHour"), 0);
  const every = (key: string, most: number) => {
    const count = number(key) ?? 1;
    return { step: count <= 1 ? "*" : `*/${Math.min(count, most)}`, uneven: count > 1 && most % count !== 0 };
  };
  const uneven = (is: boolean) =>
    is ? { note: "The interval does not divide evenly; it starts anew with each hour, day or month." } : {};
  switch (rule.field) {
    case "cronExpression": {
      const parts = String(rule.expression ?? "")
        .replace(/^=/, "")
        .trim()
        .split(/\s+/);
      return parts.length === 6
        ? { cron: parts.slice(1).join(" "), note: "Seconds are left out." }
        : { cron: parts.join(" ") };
    }
    case "seconds":
      return { cron: "* * * * *", note: "Every minute; shorter intervals are not possible." };
    case "minutes": {
      const { step, uneven: is } = every("minutesInterval", 60);
      return {
        cron: `${step === "*" && number("minutesInterval") === undefined ? "*/5" : step} * * * *`,
        ...uneven(is),
      };
    }
    case "hours": {
      const { step, uneven: is } = every("hoursInterval", 24);
      return { cron: `${minute} ${step} * * *`, ...uneven(is) };
    }
    case "weeks": {
      const days = Array.isArray(rule.triggerAtDay) && rule.triggerAtDay.length > 0 ? rule.triggerAtDay.join(",") : "0";
      const weeks = number("weeksInterval") ?? 1;
      return {
        cron: `${minute} ${hour} * * ${days}`,
        ...(weeks > 1 ? { note: `Every week instead of every ${weeks}.` } : {}),
      };
    }
    case "months": {
      const { step } = every("monthsInterval", 12);
      return { cron: `${minute} ${hour} ${two(number("triggerAtDayOfMonth"), 1)} ${step} *` };
    }
    default: {
      const { step, uneven: is } = every("daysInterval", 31);
      return { cron: `${minute} ${hour} ${step} * *`, ...uneven(is) };
    }
  }
}

function schedule(work: NodeWork, zone: string | undefined): Made {
  const rules = work.list("rule", "interval");
  const { cron, note } = cronOf(rules[0] ?? { field: "days" });
  const notes = [
    ...(note ? [note] : []),
    ...(rules.length > 1 ? ["Only the first of its rules is kept; add a trigger for each other one."] : []),
  ];
  return {
    type: "schedule-trigger",
    config: { cron, ...(zone === undefined ? {} : { timeZone: zone }) },
    ...(notes.length > 0 ? { outcome: "approximated", note: notes.join(" ") } : {}),
  };
}

function oldCron(work: NodeWork): Made {
  const [time] = work.list("triggerTimes", "item");
  const hour = typeof time?.hour === "number" ? time.hour : 14;
  const minute = typeof time?.minute === "number" ? time.minute : 0;
  const crons: Record<string, string> = {
    everyMinute: "* * * * *",
    everyHour: `${minute} * * * *`,
    everyDay: `${minute} ${hour} * * *`,
    everyWeek: `${minute} ${hour} * * ${String(time?.weekday ?? 1)}`,
    everyMonth: `${minute} ${hour} ${String(time?.dayOfMonth ?? 1)} * *`,
    custom: String(time?.cronExpression ?? "0 8 * * *")
      .trim()
      .split(/\s+/)
      .slice(-5)
      .join(" "),
  };
  return {
    type: "schedule-trigger",
    config: { cron: crons[String(time?.mode ?? "everyDay")] ?? `${minute} ${hour} * * *` },
  };
}

function interval(work: NodeWork): Made {
  const count = Math.max(1, work.number("interval") ?? 1);
  const unit = work.word("unit", "seconds");
  const cron =
    unit === "hours"
      ? `0 */${Math.min(23, count)} * * *`
      : unit === "minutes"
        ? `*/${Math.min(59, count)} * * * *`
        : "* * * * *";
  return {
    type: "schedule-trigger",
    config: { cron },
    outcome: "approximated",
    note: "An interval became times on the clock.",
  };
}

const examples: Readonly<Record<string, Json>> = { number: 0, boolean: false, array: [], object: {} };

function called(work: NodeWork): Made {
  const given = parsed(work.at("jsonExample"));
  const fields = work
    .list("workflowInputs", "values")
    .map(({ name, type }): [string, Json] => [String(name), examples[String(type)] ?? ""]);
  const input = isJsonObject(given) ? given : Object.fromEntries(fields);
  return { type: "manual-trigger", config: { input } };
}

function form(work: NodeWork): Made {
  const fields = work
    .list("formFields", "values")
    .map(({ fieldLabel, fieldName }): [string, Json] => [String(fieldName ?? fieldLabel ?? "field"), ""]);
  return {
    type: "manual-trigger",
    config: { input: Object.fromEntries(fields) },
    outcome: "approximated",
    note: "There are no forms: start it with the fields as input, or publish it and send them to its API.",
  };
}

function webhook(work: NodeWork): Made {
  const methods = work.word("httpMethod", "GET");
  return {
    type: "webhook-trigger",
    config: {
      sample: {
        method: methods === "GET" ? "GET" : "POST",
        headers: {},
        query: {},
        body: methods === "GET" ? null : {},
      },
    },
    outcome: "approximated",
    note: "Its address is new: publish the workflow and give the new one to the callers.",
  };
}

/** What starts a workflow, by n8n's names. `zone` is the workflow's time zone. */
export const triggerNodes = (zone: string | undefined): Mappers => ({
  manualTrigger: () => ({ type: "manual-trigger" }),
  start: () => ({ type: "manual-trigger" }),
  chatTrigger: () => ({ type: "chat-trigger", shape: "chat" }),
  manualChatTrigger: () => ({ type: "chat-trigger", shape: "chat" }),
  webhook,
  scheduleTrigger: (work) => schedule(work, zone),
  cron: oldCron,
  interval,
  executeWorkflowTrigger: called,
  formTrigger: form,
  errorTrigger: () => ({
    type: "manual-trigger",
    outcome: "approximated",
    note: "A workflow that starts when another fails is chosen in that one's publication settings.",
  }),
  evaluationTrigger: () => ({
    type: "manual-trigger",
    outcome: "approximated",
    note: "Start it with one row as input.",
  }),
  mcpTrigger: () => ({
    type: "manual-trigger",
    outcome: "approximated",
    note: "Publish the workflow as an MCP tool instead.",
  }),
});

const polls =
  /^(gmail|emailReadImap|googleDrive|googleSheets|googleCalendar|airtable|notion|rssFeedRead|microsoftOutlook|hubspot|postgres|n8n|localFile|salesforce|microsoftOneDrive|clockify|toggl)/i;

/** A trigger of a service: what it would be told arrives as a request, or a schedule looks for it. */
export function serviceTrigger(work: NodeWork): Made {
  const service = work.node.type.replace(/Trigger$/, "");
  if (polls.test(service)) {
    return {
      type: "schedule-trigger",
      config: { cron: "*/5 * * * *" },
      outcome: "approximated",
      note: `Looked for new data of ${service} from time to time. The schedule starts the workflow; add a request that fetches what is new.`,
    };
  }
  return {
    type: "webhook-trigger",
    config: {},
    outcome: "approximated",
    note: `Register the webhook's address at ${service}; what it sends is the "body" of the request.`,
  };
}
