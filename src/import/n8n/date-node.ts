import { asArgument, NoExpression, piece, quoted } from "../expressions/piece.ts";
import { attempt } from "../expressions/translate.ts";
import type { Json } from "../../engine/json.ts";
import type { Made } from "./made.ts";
import type { NodeWork } from "./node-work.ts";
import { lookup } from "../lookup.ts";

const alike = "M MM MMM MMMM H HH h hh m mm s ss SSS a X x E W WW".split(" ");

/** Moment's letters (momentjs.com/docs/#/displaying/format) as those of patterns here, which are Luxon's. */
const letters: Readonly<Record<string, string>> = {
  ...Object.fromEntries(alike.map((one) => [one, one])),
  YYYY: "yyyy",
  YY: "yy",
  DDDD: "ooo",
  DDD: "o",
  DD: "dd",
  D: "d",
  dddd: "EEEE",
  ddd: "EEE",
  A: "a",
  Q: "q",
  GGGG: "kkkk",
  ZZ: "ZZZ",
  Z: "ZZ",
  L: "MM/dd/yyyy",
  LL: "MMMM d, yyyy",
  LLL: "MMMM d, yyyy h:mm a",
  LLLL: "EEEE, MMMM d, yyyy h:mm a",
  LT: "h:mm a",
  LTS: "h:mm:ss a",
};

/** The letters that Moment takes together, and texts in brackets; any other letter stands for itself. */
const moments =
  /\[([^\]]*)\]|LTS?|L{1,4}|l{1,4}|[Hh]mm(?:ss)?|Mo|M{1,4}|DDDo|Do|D{1,4}|do|d{1,4}|e|E|wo|ww?|Wo|WW?|Qo?|N{1,5}|Y{4,6}|YY|Y|yo|y{1,4}|gg(?:ggg?)?|GG(?:GGG?)?|[aA]|hh?|HH?|kk?|mm?|ss?|S{1,9}|[xX]|zz?|ZZ?|[A-Za-z]/g;

/** A pattern of Moment's as one of Luxon's. Throws NoExpression for letters that Luxon has no counterpart of. */
export function fromMoment(pattern: string): string {
  return pattern.replace(moments, (found, plain: string | undefined) => {
    if (plain !== undefined) return `'${plain}'`;
    const made = lookup(letters, found);
    if (made === undefined && moment.test(found)) throw new NoExpression(`the date pattern ${found}`);
    return made ?? `'${found}'`;
  });
}

/** Whether a letter means something to Moment. */
const moment = /[ADEGHLMNQSWXYZadeghklmswxyz]/;

/** n8n's Date & Time of both versions. */
export function dateNode(work: NodeWork): Made {
  const made = work.node.version < 2 ? oldDate(work) : newDate(work);
  if (!made.ok) return { note: `Use a set-fields node with formatDate, shiftDate or date (${made.reason}).` };
  const { name, cel, keepInput } = made;
  return { type: "set-fields", config: { fields: { [name]: `{{${cel}}}` }, keepInput } };
}

const shiftUnits = [
  "years",
  "quarters",
  "months",
  "weeks",
  "days",
  "hours",
  "minutes",
  "seconds",
  "milliseconds",
] as const;
const roundUnits = ["year", "month", "week", "day", "hour", "minute", "second"] as const;

type DateMade = { ok: true; name: string; cel: string; keepInput: boolean } | { ok: false; reason: string };

/** A date as n8n reads it: a text of ten digits counts seconds, a longer one milliseconds, and nothing stays nothing. */
function readDate(work: NodeWork, value: Json | undefined, pattern = "", zone = ""): string {
  const one = work.operand(value ?? "={{ $now }}");
  if (one.kind === "date") return one.code;
  const x = asArgument(one);
  if (pattern === "x" || pattern === "X") return `date(number(${x})${pattern === "X" ? " * 1000.0" : ""})`;
  if (pattern !== "")
    return `readDate(text(${x}), ${quoted(fromMoment(pattern))}${zone === "" ? "" : `, ${quoted(zone)}`})`;
  if (typeof one.literal === "string" && /\D/.test(one.literal)) return `date(${x})`;
  return `(isNaN(${x}) ? date(${x}) : date(number(${x}) * (number(${x}) < 100000000000.0 ? 1000.0 : 1.0)))`;
}

function shifted(work: NodeWork, date: string, back: boolean): string {
  const amount = asArgument(work.operand(work.at("duration") ?? 0));
  return `iso(shiftDate(${date}, ${back ? "-number" : "number"}(${amount}), ${quoted(work.choice("timeUnit", shiftUnits, "days"))}))`;
}

function oldDate(work: NodeWork): DateMade {
  const name = work.word("dataPropertyName", "data");
  const from = work.word(["options", "fromFormat"]);
  const made = attempt(() => {
    const [fromZone, toZone] = [work.word(["options", "fromTimezone"]), work.word(["options", "toTimezone"])];
    const date = readDate(work, work.at("value"), from, fromZone);
    if (work.choice("action", ["format", "calculate"], "format") === "calculate")
      return piece("string", shifted(work, date, work.choice("operation", ["add", "subtract"], "add") === "subtract"));
    const pattern =
      work.flag("custom") || work.word("toFormat") === "" ? work.word("toFormat", "MM/DD/YYYY") : work.word("toFormat");
    const zone = toZone || fromZone;
    return piece(
      "string",
      `formatDate(${date}, ${quoted(fromMoment(pattern))}${zone === "" ? "" : `, ${quoted(zone)}`})`,
    );
  });
  return made.ok ? { ok: true, name, cel: made.cel, keepInput: true } : made;
}

const names: Readonly<Record<string, string>> = {
  getCurrentDate: "currentDate",
  addToDate: "newDate",
  subtractFromDate: "newDate",
  formatDate: "formattedDate",
  roundDate: "roundedDate",
  getTimeBetweenDates: "timeDifference",
  extractDate: "datePart",
};

function newDate(work: NodeWork): DateMade {
  const action = work.word("operation", "getCurrentDate");
  const zone = work.word(["options", "timezone"]);
  const zoned = zone === "" ? "" : `, ${quoted(zone)}`;
  const made = attempt(() => {
    const value = () => readDate(work, work.at("date") ?? work.at("magnitude"));
    switch (action) {
      case "getCurrentDate":
        return piece(
          "string",
          work.at("includeTime") === false ? `iso(startOf(now, "day"${zoned})${zoned})` : `iso(now${zoned})`,
        );
      case "formatDate": {
        const chosen = work.word("format", "MM/dd/yyyy");
        const pattern = chosen === "custom" ? work.word("customFormat", "yyyy-MM-dd") : chosen;
        const given = asArgument(work.operand(work.at("date") ?? ""));
        return piece("dyn", `isNothing(${given}) ? null : dyn(formatDate(${value()}, ${quoted(pattern)}${zoned}))`);
      }
      case "addToDate":
      case "subtractFromDate":
        return piece("string", shifted(work, value(), action === "subtractFromDate"));
      case "roundDate": {
        const isUp = work.choice("mode", ["roundDown", "roundUp"], "roundDown") === "roundUp";
        const unit = quoted(work.choice(isUp ? "to" : "toNearest", roundUnits, "month"));
        const date = isUp ? `shiftDate(${value()}, 1, ${unit})` : value();
        return piece("string", `iso(startOf(${date}, ${unit}))`);
      }
      case "extractDate": {
        const part = work.word("part", "month");
        return piece("number", `datePart(${value()}, ${quoted(part === "week" ? "weekNumber" : part)})`);
      }
      case "getTimeBetweenDates":
        return piece("map", between(work));
      default:
        throw new NoExpression(`the action ${action}`);
    }
  });
  const name = work.word("outputFieldName") || (lookup(names, action) ?? "newDate");
  const keepInput = work.flag(["options", "includeInputFields"]);
  return made.ok ? { ok: true, name, cel: made.cel, keepInput } : made;
}

const units = ["year", "month", "week", "day", "hour", "minute", "second", "millisecond"];

/** What lies between two dates, in whole units but for the smallest. */
function between(work: NodeWork): string {
  const given = work.at("units");
  const wanted = (Array.isArray(given) ? given : ["day"]).map((unit) => String(unit).replace(/s$/, ""));
  const chosen = units.filter((unit) => wanted.includes(unit));
  if (work.flag(["options", "isoString"]) || chosen.length === 0) throw new NoExpression("a duration as an ISO text");
  if (chosen.length > 3) throw new NoExpression("more than three units");
  let start = readDate(work, work.at("startDate"));
  const end = readDate(work, work.at("endDate"));
  const parts = chosen.map((unit, index) => {
    const whole = `dateDiff(${start}, ${end}, ${quoted(`${unit}s`)})`;
    if (index === chosen.length - 1) return `${quoted(`${unit}s`)}: ${whole}`;
    const count = `trunc(${whole})`;
    start = `shiftDate(${start}, ${count}, ${quoted(`${unit}s`)})`;
    return `${quoted(`${unit}s`)}: ${count}`;
  });
  return `{${parts.join(", ")}}`;
}
