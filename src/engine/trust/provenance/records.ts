import { isJsonObject, type Json, type JsonObject } from "../../json.ts";

/** A record of a result: what people call it, by what a tool is told of it, and who and what is in it. */
export interface KnownRecord {
  /** What it is, as far as its tool says: "file", "event". */
  kinds: ReadonlySet<string>;
  names: string[];
  /** As texts. */
  ids: string[];
  /** Those of them that are of the record itself, and not of somebody or something that it speaks of. */
  ownIds: string[];
  /** Who has to do with it, by member: names, addresses or accounts. */
  people: Map<string, string[]>;
  /** Sums of money. */
  sums: number[];
  /** What can be compared, by member: a size, or a moment in milliseconds. */
  measures: Map<string, number>;
}

const naming = /^(?:name|title|subject|label|file_?name|display_?name|full_?name|slug)$/i;
const identifying = /^(?:_?id_?|.*_id_?|.*Id|key|uid|uuid|email|address|handle|user_?name|iban|account)$/;
const involving =
  /^(?:sender|from|to|cc|bcc|recipients?|participants?|attendees?|members?|organi[sz]er|owner|assignees?)$/i;
const paying = /^(?:amount|price|total|sum|cost)$/i;

/** The records of a result of `tool`: each object with an id and something by which a person would speak of it. */
export function recordsIn(value: Json, tool: string): KnownRecord[] {
  const found: KnownRecord[] = [];
  addRecords(value, kindWords(tool), found);
  return found;
}

function addRecords(value: Json, about: readonly string[], found: KnownRecord[]): void {
  if (Array.isArray(value)) for (const item of value) addRecords(item, about, found);
  else if (isJsonObject(value)) {
    const record = readRecord(value, about);
    if (record) found.push(record);
    for (const item of Object.values(value)) addRecords(item, about, found);
  }
}

function readRecord(value: JsonObject, about: readonly string[]): KnownRecord | undefined {
  const record: KnownRecord = {
    kinds: new Set([...about, ...(Object.hasOwn(value, "filename") ? ["file"] : [])]),
    names: [],
    ids: [],
    ownIds: [],
    people: new Map(),
    sums: [],
    measures: new Map(),
  };
  for (const [key, member] of Object.entries(value)) {
    if (identifying.test(key) && (typeof member === "string" || typeof member === "number")) {
      record.ids.push(`${member}`);
      if (isOwnId(key, about)) record.ownIds.push(`${member}`);
    }
    if (involving.test(key))
      record.people.set(
        key,
        [member].flat().filter((one) => typeof one === "string"),
      );
    if (typeof member === "number") {
      if (paying.test(key)) record.sums.push(member);
      if (!identifying.test(key)) record.measures.set(key, member);
    } else if (typeof member === "string") {
      if (naming.test(key)) record.names.push(member);
      if (/^\d{4}-\d{2}-\d{2}/.test(member)) record.measures.set(key, Date.parse(member));
    }
  }
  return record.ids.length > 0 && record.names.length > 0 ? record : undefined;
}

/** `id`, or `event_id` of what `search_events` gives: `sender_id` is somebody else's. */
function isOwnId(key: string, about: readonly string[]): boolean {
  if (/^(?:_?id_?|key|uid|uuid)$/.test(key)) return true;
  const [kind] = /^(.+?)(?:_id_?|Id)$/.exec(key)?.slice(1) ?? [];
  const words = kindWords(kind ?? "");
  return words.length > 0 && words.every((word) => about.includes(word));
}

/** Words of tools' names that say nothing of what their records are. */
const verbs = new Set("mcp get list search read find fetch load query show look open view".split(" "));

/** The words of a tool's or a member's name that say what it is about, in the singular. */
function kindWords(name: string): string[] {
  return name
    .split(/[_\s.-]+|(?<=\p{Ll})(?=\p{Lu})/u)
    .map((word) => word.toLowerCase().replace(/s$/, ""))
    .filter((word) => word !== "" && !verbs.has(word));
}

/** What a request says where it means those who have to do with a record, by the member that holds them. */
const relations: readonly [RegExp, RegExp][] = [
  [
    /^(?:sender|from)$/i,
    /\b(?:repl(?:y|ies|ying)|answer(?:ing)?|respond(?:ing)?|write back|senders?|who(?:ever)? (?:wrote|sent))\b/i,
  ],
  [/^(?:to|cc|bcc|recipients?)$/i, /\brecipients?\b/i],
  [/^(?:participants?|attendees?)$/i, /\b(?:participants?|attendees?|invitees?)\b/i],
  [/^members?$/i, /\bmembers?\b/i],
  [/^(?:organi[sz]er|owner|assignees?)$/i, /\b(?:organi[sz]ers?|owners?|assignees?)\b/i],
];

/**
 * Whether somebody has to do with the records in a way of which the request speaks: a reply goes to the sender, and nothing else does.
 * Where several records have such members, only who is in each of them is meant.
 */
export function isMeantPerson(
  records: readonly KnownRecord[],
  value: string,
  asks: (words: RegExp) => boolean,
): boolean {
  return relations.some(([named, words]) => {
    const asked = records.flatMap(({ people }) => {
      const there = [...people].flatMap(([member, values]) => (named.test(member) ? [values] : []));
      return there.length > 0 ? [there.flat()] : [];
    });
    return asked.length > 0 && asked.every((values) => values.includes(value)) && asks(words);
  });
}

/**
 * Whether an argument of a tool may be the id of this record: `file_id` is none of an event, `id` is what the tool is about, and `to`
 * and `password` are no ids. A stranger may have chosen an id as well as a name.
 */
export function isIdFor({ tool, argument }: { tool: string; argument: string }, { kinds }: KnownRecord): boolean {
  const [, kind] = /^(.*?)(?:_?id_?s?|Ids?)_?$/.exec(argument) ?? [];
  if (kind === undefined) return false;
  const about = kindWords(kind);
  return about.length > 0 ? about.every((word) => kinds.has(word)) : kindWords(tool).some((word) => kinds.has(word));
}

/** Members of a result that count or measure something, each with its numbers. */
export function amountsIn(value: Json, found: Map<string, Set<number>>): void {
  if (Array.isArray(value)) for (const item of value) amountsIn(item, found);
  else if (isJsonObject(value)) {
    for (const [key, member] of Object.entries(value)) {
      if (typeof member !== "number") amountsIn(member, found);
      else if (!identifying.test(key)) found.set(key, (found.get(key) ?? new Set()).add(member));
    }
  }
}
