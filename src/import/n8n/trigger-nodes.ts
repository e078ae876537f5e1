import type { Json, JsonObject } from "../../engine/json.ts";
import { isJsonObject } from "../../engine/json.ts";
import { lookup } from "../lookup.ts";
import { isGiven } from "./apps/request.ts";
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

const onlyFirst = "Only the first of its rules is kept; add a trigger for each other one.";
const zoned = (zone: string | undefined): JsonObject => (zone === undefined ? {} : { timeZone: zone });

function schedule(work: NodeWork, zone: string | undefined): Made {
  const rules = work.list("rule", "interval");
  const { cron, note } = cronOf(rules[0] ?? { field: "days" });
  const notes = [...(note ? [note] : []), ...(rules.length > 1 ? [onlyFirst] : [])];
  return {
    type: "schedule-trigger",
    config: { cron, ...zoned(zone) },
    ...(notes.length > 0 ? { outcome: "approximated", note: notes.join(" ") } : {}),
  };
}

/** The longest interval of each unit that a cron line says, and the next longer unit. */
const longest = { minutes: 60, hours: 24, days: 31 } as const;

/** An interval as times on the clock, and whether these are the same distance apart. */
function everyOf(count: number, unit: string): { cron: string; isEven: boolean } {
  const whole = Math.max(1, Math.round(count));
  if (unit === "seconds") return { ...everyOf(Math.ceil(whole / 60), "minutes"), isEven: whole % 60 === 0 };
  if (unit === "minutes" && whole < longest.minutes)
    return { cron: whole === 1 ? "* * * * *" : `*/${whole} * * * *`, isEven: longest.minutes % whole === 0 };
  if (unit === "minutes") return { ...everyOf(whole / 60, "hours"), isEven: whole === 60 };
  if (whole < longest.hours)
    return { cron: whole === 1 ? "0 * * * *" : `0 */${whole} * * *`, isEven: longest.hours % whole === 0 };
  const days = Math.min(longest.days, Math.round(whole / 24));
  return { cron: days === 1 ? "0 0 * * *" : `0 0 */${days} * *`, isEven: whole === 24 };
}

const clockTimes = "An interval became times on the clock.";

function oldCron(work: NodeWork, zone: string | undefined): Made {
  const times = work.list("triggerTimes", "item");
  const [time = {}] = times;
  const number = (value: Json | undefined, usual: number) => (typeof value === "number" ? value : usual);
  const clock = `${number(time.minute, 0)} ${number(time.hour, 14)}`;
  const mode = String(time.mode ?? "everyDay");
  const custom = String(time.cronExpression ?? "0 8 * * *")
    .trim()
    .split(/\s+/);
  const every = mode === "everyX" ? everyOf(number(time.value, 2), String(time.unit ?? "hours")) : undefined;
  const crons: Readonly<Record<string, string>> = {
    everyMinute: "* * * * *",
    everyHour: `${number(time.minute, 0)} * * * *`,
    everyDay: `${clock} * * *`,
    everyWeek: `${clock} * * ${String(time.weekday ?? 1)}`,
    everyMonth: `${clock} ${String(time.dayOfMonth ?? 1)} * *`,
    custom: custom.slice(-5).join(" "),
  };
  const cron = every?.cron ?? lookup(crons, mode);
  const notes = [
    ...(cron === undefined ? ["When it starts cannot be told from the file: every day is a guess."] : []),
    ...(every && !every.isEven ? [clockTimes] : []),
    ...(mode === "custom" && custom.length === 6 ? ["Seconds are left out."] : []),
    ...(times.length > 1 ? [onlyFirst] : []),
  ];
  return {
    type: "schedule-trigger",
    config: { cron: cron ?? `${clock} * * *`, ...zoned(zone) },
    ...(notes.length > 0 ? { outcome: "approximated", note: notes.join(" ") } : {}),
  };
}

function interval(work: NodeWork, zone: string | undefined): Made {
  const unit = work.choice("unit", ["seconds", "minutes", "hours"], "seconds");
  const { cron } = everyOf(work.number("interval") ?? 1, unit);
  return {
    type: "schedule-trigger",
    config: { cron, ...zoned(zone) },
    outcome: "approximated",
    note: clockTimes,
  };
}

const examples: Readonly<Record<string, Json>> = { number: 0, boolean: false, array: [], object: {} };

function called(work: NodeWork): Made {
  const given = parsed(work.at("jsonExample"));
  const fields = work
    .list("workflowInputs", "values")
    .map(({ name, type }): [string, Json] => [String(name), lookup(examples, String(type)) ?? ""]);
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

function chat(work: NodeWork): Made {
  const takesFiles = work.flag(["options", "allowFileUploads"]);
  return {
    type: "chat-trigger",
    shape: "chat",
    ...(takesFiles
      ? { note: "Attached files come along; on a chat page once “Take files” is on when you publish." }
      : {}),
  };
}

const proofs: Readonly<Record<string, string>> = {
  basicAuth: "a user and password",
  headerAuth: "a header",
  jwtAuth: "a JWT",
};

function webhook(work: NodeWork): Made {
  work.drop("path", "It has another address here.");
  // A respond node answers here as there.
  if (work.node.parameters.raw.responseMode === "responseNode") work.drop("responseMode", "A node answers.");
  const methods = work.word("httpMethod", "GET");
  const kind = work.word("authentication", isGiven(work, "authentication") ? "a value" : "none");
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
    // Who may call is a setting of the publication, not of the node.
    ...(kind === "none"
      ? {}
      : { needs: `how callers prove who they are when you publish it, which was ${lookup(proofs, kind) ?? kind}` }),
  };
}

/** What starts a workflow, by n8n's names. `zone` is the workflow's time zone. */
export const triggerNodes = (zone: string | undefined): Mappers => ({
  manualTrigger: () => ({ type: "manual-trigger" }),
  start: () => ({ type: "manual-trigger" }),
  chatTrigger: chat,
  manualChatTrigger: chat,
  webhook,
  scheduleTrigger: (work) => schedule(work, zone),
  cron: (work) => oldCron(work, zone),
  interval: (work) => interval(work, zone),
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
