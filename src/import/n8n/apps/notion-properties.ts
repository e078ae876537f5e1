import { isJsonObject, type Json, type JsonObject } from "../../../engine/json.ts";
import { escaped, type NodeWork } from "../node-work.ts";
import { cel, listOf, present, templated } from "./request.ts";

/** Where n8n keeps the value of a property, by its type at Notion. */
const valueNames: Readonly<Record<string, string>> = {
  title: "title",
  rich_text: "textContent",
  number: "numberValue",
  url: "urlValue",
  checkbox: "checkboxValue",
  email: "emailValue",
  phone_number: "phoneValue",
  select: "selectValue",
  status: "statusValue",
  multi_select: "multiSelectValue",
  people: "peopleValue",
  relation: "relationValue",
  date: "date",
  files: "fileUrls",
};

/** The name and the type in n8n's key, `Due date|date`; without a type it follows from the value that is there. */
export function keyOf(row: JsonObject): { name: string; type: string | undefined } {
  const [name = "", type] = String(row.key ?? "").split("|");
  const known = type ?? Object.entries(valueNames).find(([, value]) => hasValue(row[value]))?.[0];
  if (known !== undefined) return { name, type: known };
  return { name, type: row.dateStart !== undefined ? "date" : isJsonObject(row.text) ? "rich_text" : undefined };
}

const hasValue = (value: Json | undefined) =>
  value !== undefined && value !== "" && !(Array.isArray(value) && value.length === 0);

/** Text of Notion: its pieces with their links and styles. */
export function richText(work: NodeWork, row: JsonObject): Json[] {
  const pieces = isJsonObject(row.text) && Array.isArray(row.text.text) ? row.text.text.filter(isJsonObject) : [];
  if (row.richText !== true && pieces.length === 0) return [plainText(work, row.textContent)];
  return pieces.map((one): JsonObject => {
    const annotations: JsonObject = isJsonObject(one.annotationUi)
      ? { annotations: work.template(one.annotationUi) }
      : {};
    const type = String(one.textType ?? "text");
    if (type === "equation") return { type, equation: { expression: work.textOf(one.expression) }, ...annotations };
    if (type === "mention") {
      const of = String(one.mentionType ?? "database");
      const value: Json =
        of === "date"
          ? one.range === true
            ? { start: work.textOf(one.dateStart), end: work.textOf(one.dateEnd) }
            : { start: work.textOf(one.date) }
          : { id: work.textOf(one[of]) };
      return { type, mention: { type: of, [of]: value }, ...annotations };
    }
    const link: JsonObject =
      one.isLink === true && hasValue(one.textLink) ? { link: { url: work.textOf(one.textLink) } } : {};
    return { type: "text", text: { content: work.textOf(one.text), ...link }, ...annotations };
  });
}

const plainText = (work: NodeWork, value: Json | undefined): Json => ({ text: { content: work.textOf(value) } });

/** One value inside a member, or null where an expression gives nothing. */
function orNull(work: NodeWork, member: string, value: Json | undefined): Json {
  if (!hasValue(value)) return null;
  if (!work.isExpression(value)) return { [member]: work.textOf(value) };
  const code = cel(work, value);
  return `{{isEmpty(${code}) ? dyn(null) : dyn({"${member}": text(${code})}) }}`;
}

/** A list of values, each inside a member. */
function eachIn(work: NodeWork, member: string, value: Json | undefined, more: JsonObject = {}): Json {
  const list = listOf(work, value) ?? [];
  if (Array.isArray(list)) return list.map((one) => ({ ...more, [member]: one }));
  const fixed = Object.entries(more).map(([name, one]) => `${JSON.stringify(name)}: ${JSON.stringify(one)}, `);
  return `{{compact(${String(list).slice(2, -2)}).map(one, {${fixed.join("")}"${member}": text(one)}) }}`;
}

/** A date, or its day alone. */
function dateText(work: NodeWork, value: Json | undefined, withTime: boolean, zone: string): Json {
  if (!hasValue(value)) return null;
  if (work.isExpression(value)) {
    const code = cel(work, value);
    const more = zone === "" ? "" : `, ${JSON.stringify(zone)}`;
    return withTime ? `{{iso(date(${code})${more})}}` : `{{formatDate(date(${code}), "yyyy-MM-dd"${more})}}`;
  }
  const text = work.textOf(value);
  return withTime ? text : text.slice(0, 10);
}

function dateOf(work: NodeWork, row: JsonObject): Json {
  const withTime = row.includeTime !== false;
  const written = row.timezone === "default" ? "" : String(row.timezone ?? "");
  const zone = written.includes("{{") ? "" : written;
  const fixed: JsonObject =
    zone === "" || work.isExpression(row.date ?? row.dateStart) || !withTime ? {} : { time_zone: zone };
  if (row.range === true || (row.date === undefined && row.dateStart !== undefined)) {
    return {
      start: dateText(work, row.dateStart, withTime, zone),
      end: dateText(work, row.dateEnd, withTime, zone),
      ...fixed,
    };
  }
  return hasValue(row.date) ? { start: dateText(work, row.date, withTime, zone), ...fixed } : null;
}

/** A property's value in Notion's form (developers.notion.com/reference/page-property-values); undefined for other types. */
function propertyOf(work: NodeWork, row: JsonObject, type: string): Json | undefined {
  const value = row[valueNames[type] ?? ""];
  switch (type) {
    case "title":
      return { title: [plainText(work, row.title)] };
    case "rich_text":
      return { rich_text: richText(work, row) };
    case "number":
      return { number: numberOf(work, value) };
    case "checkbox":
      return { checkbox: hasValue(value) ? work.template(value) : false };
    case "url":
    case "email":
    case "phone_number":
      return { [type]: urlOf(work, value, row.ignoreIfEmpty === true) };
    case "select":
    case "status":
      return { [type]: orNull(work, "name", value) };
    case "multi_select":
      return { multi_select: eachIn(work, "name", value) };
    case "people":
      return { people: eachIn(work, "id", value, { object: "user" }) };
    case "relation":
      return { relation: eachIn(work, "id", value) };
    case "date":
      return { date: dateOf(work, row) };
    case "files": {
      const files = isJsonObject(value) && Array.isArray(value.fileUrl) ? value.fileUrl.filter(isJsonObject) : [];
      return {
        files: files.map(({ name, url }) => ({
          name: work.textOf(name),
          type: "external",
          external: { url: work.textOf(url) },
        })),
      };
    }
    default:
      return undefined;
  }
}

/** A text, or nothing where it is empty and may be. */
function urlOf(work: NodeWork, value: Json | undefined, orNothing: boolean): Json {
  if (!hasValue(value)) return null;
  if (!orNothing || !work.isExpression(value)) return work.textOf(value);
  const code = cel(work, value);
  return `{{isEmpty(${code}) ? dyn(null) : dyn(text(${code}))}}`;
}

function numberOf(work: NodeWork, value: Json | undefined): Json {
  if (!hasValue(value)) return null;
  if (work.isExpression(value)) return `{{number(${cel(work, value)})}}`;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}

/** The properties of a page; `unknown` are those whose type is not known. */
export function propertiesOf(work: NodeWork): { properties: JsonObject; unknown: string[] } {
  const properties: JsonObject = {};
  const unknown: string[] = [];
  for (const row of work.list("propertiesUi", "propertyValues")) {
    const { name, type } = keyOf(row);
    const made = type === undefined ? undefined : propertyOf(work, row, type);
    if (made !== undefined) properties[work.textOf(name)] = made;
    else if (name !== "") unknown.push(name);
  }
  return { properties, unknown };
}

/** Blocks in Notion's form (developers.notion.com/reference/block). */
export function blocksOf(work: NodeWork): JsonObject[] {
  return work.list("blockUi", "blockValues").map((row) => {
    const type = String(row.type ?? "paragraph");
    const inner: JsonObject =
      type === "image"
        ? { type: "external", external: { url: work.textOf(row.url) } }
        : {
            rich_text: richText(work, row),
            ...(type === "to_do" ? { checked: row.checked === undefined ? false : work.template(row.checked) } : {}),
          };
    return { object: "block", type, [type]: inner };
  });
}

/** A page's icon: an emoji, or the address of a picture. */
export function iconOf(work: NodeWork): JsonObject {
  const icon = templated(work, work.at("options", "icon"));
  if (icon === undefined) return {};
  return {
    icon:
      work.word(["options", "iconType"]) === "file"
        ? { type: "external", external: { url: icon } }
        : { type: "emoji", emoji: icon },
  };
}

const noValue = new Set(["is_empty", "is_not_empty"]);
const spans = new Set(["past_week", "past_month", "past_year", "next_week", "next_month", "next_year", "this_week"]);

/** Where n8n keeps the value of a condition. */
const conditionValues: Readonly<Record<string, string>> = {
  title: "titleValue",
  rich_text: "richTextValue",
  number: "numberValue",
  url: "urlValue",
  checkbox: "checkboxValue",
  boolean: "booleanValue",
  email: "emailValue",
  phone_number: "phoneNumberValue",
  select: "selectValue",
  status: "statusValue",
  multi_select: "multiSelectValue",
  people: "peopleValue",
  relation: "relationValue",
  created_by: "createdByValue",
  last_edited_by: "lastEditedByValue",
  date: "date",
  created_time: "createdTimeValue",
  last_edited_time: "lastEditedTime",
};

/** A condition in Notion's form (developers.notion.com/reference/post-database-query-filter); undefined for unknown types. */
export function conditionOf(work: NodeWork, row: JsonObject): JsonObject | undefined {
  const [name = "", written] = String(row.key ?? "").split("|");
  const type = written ?? Object.entries(conditionValues).find(([, value]) => hasValue(row[value]))?.[0];
  const condition = String(row.condition ?? "");
  if (type === undefined || condition === "" || name === "") return undefined;
  const isFormula = type === "formula";
  const of = isFormula ? String(row.returnType ?? "text") : type;
  const raw = row[isFormula ? `${of}Value` : (conditionValues[type] ?? "")];
  const value: Json = noValue.has(condition)
    ? true
    : spans.has(condition)
      ? {}
      : of === "number"
        ? numberOf(work, raw)
        : of === "checkbox" || of === "boolean"
          ? (present({ value: raw === undefined ? false : work.template(raw) }).value ?? false)
          : work.textOf(raw);
  if (!isFormula && conditionValues[type] === undefined) return undefined;
  const test = { [condition]: value };
  if (isFormula)
    return {
      property: escaped(name),
      formula: { [of === "text" ? "string" : of === "boolean" ? "checkbox" : of]: test },
    };
  if (type === "created_time" || type === "last_edited_time") return { timestamp: type, [type]: test };
  return { property: escaped(name), [type === "boolean" ? "checkbox" : type]: test };
}
