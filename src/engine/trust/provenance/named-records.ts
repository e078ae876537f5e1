import type { KnownText } from "./known-text.ts";
import type { KnownRecord } from "./records.ts";
import { comparable, isCommonplace, valueWords } from "./tokens.ts";

/**
 * The records that a person's request names: by a whole name, by two words in a row that only one record has, by a sum, or as
 * the largest or the newest. Where several fit, none of them is the person's choice, and neither is one that is called something else
 * elsewhere: a text may pretend to be a record.
 */
export function namedRecords(records: readonly KnownRecord[], person: KnownText): KnownRecord[] {
  const distinct = [...new Map(records.map((record) => [fingerprint(record), record])).values()];
  const named = [
    ...onlyOnes(distinct, ({ names }) => names.filter((name) => person.holds(name)).map(sameName)),
    ...onlyOnes(distinct, (record) => pairsOf(record).filter((pair) => person.holds(pair))),
    ...onlyOnes(distinct, ({ sums }) => sums.filter((sum) => person.said.numbers.has(sum)).map(String)),
    ...extremes(distinct, person),
  ];
  return named.filter((record) => !distinct.some((other) => isContradicted(record, other)));
}

/** Whether two records of a kind have the same id and other names. */
function isContradicted(record: KnownRecord, other: KnownRecord): boolean {
  const isSame = other.ownIds.some((id) => record.ownIds.includes(id));
  return isSame && [...other.kinds].some((kind) => record.kinds.has(kind)) && !areSame(record.names, other.names);
}

function areSame(names: readonly string[], others: readonly string[]): boolean {
  return names.every((name) => others.includes(name)) && others.every((name) => names.includes(name));
}

function fingerprint({ names, ids, people, sums }: KnownRecord): string {
  return JSON.stringify([names, ids, [...people], sums]);
}

function sameName(name: string): string {
  return valueWords(name).map(comparable).join(" ");
}

/** The records that share none of their keys with a record of another id. */
function onlyOnes(records: readonly KnownRecord[], keysOf: (record: KnownRecord) => string[]): KnownRecord[] {
  const byKey = new Map<string, KnownRecord[]>();
  const keyed = records.map((record) => ({ record, keys: keysOf(record) }));
  for (const { record, keys } of keyed) for (const key of keys) byKey.set(key, [...(byKey.get(key) ?? []), record]);
  const isSame = (one: KnownRecord, other: KnownRecord) => one.ids.some((id) => other.ids.includes(id));
  return keyed.flatMap(({ record, keys }) =>
    keys.length > 0 && keys.every((key) => byKey.get(key)?.every((other) => isSame(record, other))) ? [record] : [],
  );
}

/** Words that stand in any request, and name something with one before them: a grocery list. */
const things: ReadonlySet<string> = new Set(["list", "message", "update"]);

/** Two words in a row of a name, without the ending of a file, */
function pairsOf({ names }: KnownRecord): string[] {
  const named = names.map((name) =>
    name
      .replace(/\.\w{2,4}$/u, "")
      .split(/[\s._-]+/u)
      .filter((word) => word !== ""),
  );
  return named.flatMap((words) =>
    words.slice(1).flatMap((word, index) => {
      const pair = [words[index] ?? "", word].map((each) => each.toLowerCase());
      // "The summary" stands in many a request that means no record of that name.
      const isOfRequests = pair.some((each, place) => isCommonplace([each]) && !(place === 1 && things.has(each)));
      return isOfRequests ? [] : [pair.join(" ")];
    }),
  );
}

const superlatives: [RegExp, RegExp, "most" | "least"][] = [
  [/\b(?:largest|biggest)\b/i, /^(?:size|bytes|length)/i, "most"],
  [/\bsmallest\b/i, /^(?:size|bytes|length)/i, "least"],
  [
    /\b(?:newest|latest|most recent)\b/i,
    /^(?:date|created|sent|received|modified|last_modified|updated|timestamp)/i,
    "most",
  ],
  [/\boldest\b/i, /^(?:date|created|sent|received|modified|last_modified|updated|timestamp)/i, "least"],
];

function extremes(records: readonly KnownRecord[], person: KnownText): KnownRecord[] {
  return superlatives.flatMap(([word, member, side]) => {
    if (!person.matches(word)) return [];
    const measured = records.flatMap((record) => {
      const entry = [...record.measures].find(([name]) => member.test(name));
      return entry ? [{ record, value: side === "most" ? entry[1] : -entry[1] }] : [];
    });
    const top = Math.max(...measured.map(({ value }) => value));
    const fitting = measured.filter(({ value }) => value === top);
    return measured.length > 1 && fitting.length === 1 ? fitting.map(({ record }) => record) : [];
  });
}
