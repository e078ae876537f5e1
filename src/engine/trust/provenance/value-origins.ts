import type { Json, JsonObject, JsonSchema } from "../../json.ts";
import { addressesIn } from "./addresses.ts";
import { anyDenial } from "./denial-words.ts";
import { destroyingVerbs, isDestroyingVerb } from "./destruction.ts";
import type { KnownText } from "./known-text.ts";
import { isSaidDay, minutesBetween, momentOf } from "./moments.ts";
import { namedRecords } from "./named-records.ts";
import { isIdFor, isMeantPerson, type KnownRecord } from "./records.ts";
import type { Mentions } from "./mentions.ts";
import type { EvidenceOrigin, Origin } from "./verdict.ts";

/** Arguments of which a number follows from others. */
const payingArgument = /(?:amount|price|total|sum|cost|value|fee|refund)$/i;

/** An argument among its fellows. */
export interface Argument {
  /** The tool's name. */
  tool: string;
  name: string;
  /** The innermost member's name, by which a flag is spoken of, and an id is known as one. */
  flag?: string;
  input: JsonObject;
  parameters: JsonSchema;
}

/** What a conversation knows, by which a value's origin is found. */
export interface Known {
  texts: ReadonlyMap<EvidenceOrigin, KnownText>;
  caller: Mentions;
  outside: Mentions;
  records: readonly KnownRecord[];
  /** Texts of pages whose address the person gave. */
  pages: readonly string[];
  /** Ids of what calls of this conversation made. */
  made: ReadonlySet<string>;
  /** Of results of tools that the person called his own: numbers by the member that held them. */
  amounts: ReadonlyMap<string, ReadonlySet<number>>;
}

/** Finds out where values came from, by what is known at that moment. */
export class ValueOrigins {
  private readonly known: Known;
  private named: readonly KnownRecord[] | undefined;

  constructor(known: Known) {
    this.known = known;
  }

  /** Whether a tool that takes something away does what the person's words ask for: "delete", where it is `delete_file`. */
  isDestructionWanted(tool: string): boolean {
    const verbs = destroyingVerbs(tool);
    const person = this.by("person");
    const isDenied = this.isAnythingDenied();
    return verbs.every(({ wanted }) => !isDenied && person?.matches(wanted) === true);
  }

  private isAnythingDenied(): boolean {
    return this.by("person")?.matches(anyDenial) === true;
  }

  /** "Do not delete anything" names `delete` and is no word for it. */
  private isDeniedVerb(value: Json): boolean {
    return typeof value === "string" && isDestroyingVerb(value) && this.isAnythingDenied();
  }

  /** Where a value came from. */
  of(value: Json, argument: Argument): Origin {
    if (this.isDeniedVerb(value)) return "unknown";
    if (typeof value === "boolean" || value === null) return this.originOfFlag(value, argument);
    if (typeof value === "number")
      return this.isOnlyCount(String(value), argument) ? "unknown" : this.originOfNumber(value, argument);
    if (typeof value !== "string" || value === "") return "unknown";
    if (this.isOnlyCount(value, argument)) return "unknown";
    return this.ofText(value, argument);
  }

  ofText(value: string, argument?: Argument): Origin {
    const said = this.saidBy((text) => text.holds(value));
    if (said !== undefined) return said;
    const moment = momentOf(value);
    if (moment && this.isSaidMoment(moment, argument)) return "person";
    if (argument && this.isNamedId(value, argument)) return "person";
    if (this.isOfNamedRecord(value) || this.isOnlyOneThere(value)) return "person";
    if (argument && this.isShortFor(value, argument)) return "person";
    if (isOfPartsSaid(value, (part) => this.by("person")?.holds(part) === true)) return "person";
    return this.elsewhere(value);
  }

  private originOfNumber(value: number, argument: Argument): Origin {
    const said = this.saidBy((text) => text.said.numbers.has(value));
    if (said !== undefined) return said;
    if (this.isNamedId(String(value), argument)) return "person";
    const amounts = this.known.amounts.get(argument.name) ?? new Set();
    if (amounts.has(value)) return "trusted";
    return payingArgument.test(argument.name) && this.follows(value, amounts) ? "person" : this.elsewhere(value);
  }

  /** "The last 5 mails" is no word for the account of id 5, as "account 5", "#5" and "id 5" are. */
  private isOnlyCount(value: string, argument: Argument): boolean {
    const { name } = argument;
    const [kind] = /^(.*?)(?:_?ids?|Ids?)_?$/.exec(name)?.slice(1) ?? [];
    if (kind === undefined || !/^\d{1,2}$/.test(value) || this.isNamedId(value, argument)) return false;
    const words = ["ids?", "numbers?", "nos?", "nrs?", ...(/^[a-z]+$/i.test(kind) ? [`${kind}s?`] : [])].join("|");
    const said = new RegExp(String.raw`(?:#|\b(?:${words})\b[.:]?)\s*#?${value}\b`, "i");
    const isSaid = this.own().some((text) => text.matches(said));
    return !isSaid && this.by("trusted")?.said.numbers.has(Number(value)) !== true;
  }

  /** A flag that the request speaks of by its name. */
  private originOfFlag(value: boolean | null, { name, flag = name }: Argument): Origin {
    const words = flag.split(/[_\s-]+|(?<=\p{Ll})(?=\p{Lu})/u);
    const isSaid = words.every((word) => this.by("person")?.holds(word));
    return value && isSaid && !this.isAnythingDenied() ? "person" : "unknown";
  }

  /** Letters for the words before the argument's name: "read permissions" are `r`. */
  private isShortFor(value: string, { name }: Argument): boolean {
    if (!/^[a-z]{1,3}$/.test(value) || !/^[a-z_]{3,40}$/i.test(name)) return false;
    const words = [...value]
      .map((letter) => String.raw`${letter}[a-z]+`)
      .join(String.raw`(?:\s+and\s+|\s*[,/&]\s*|\s+)`);
    return (
      this.by("person")?.matches(
        new RegExp(String.raw`\b(?<!\band\s)${words}\s+${name.replaceAll("_", String.raw`\s+`)}s?\b`, "i"),
      ) === true
    );
  }

  private by(origin: EvidenceOrigin): KnownText | undefined {
    return this.known.texts.get(origin);
  }

  private saidBy(test: (text: KnownText) => boolean): EvidenceOrigin | undefined {
    return (["person", "workflow", "trusted"] as const).find((origin) => {
      const text = this.by(origin);
      return text !== undefined && test(text);
    });
  }

  /** Where a value stands that nobody gave who may. */
  private elsewhere(value: Json): Origin {
    return (["caller", "outside"] as const).find((origin) => this.known[origin].holds(value)) ?? "unknown";
  }

  private own(): KnownText[] {
    return (["person", "workflow", "trusted"] as const).flatMap((origin) => this.by(origin) ?? []);
  }

  /** Its day was said, and its time of day, or how long after the beginning of the same call it lies. */
  private isSaidMoment(
    { day, time }: NonNullable<ReturnType<typeof momentOf>>,
    argument: Argument | undefined,
  ): boolean {
    const own = this.own();
    if (!own.some((text) => isSaidDay(day, text.said.days))) return false;
    if (time === undefined || own.some((text) => text.said.times.has(time))) return true;
    return Object.values(argument?.input ?? {}).some((other) => {
      const start = typeof other === "string" ? momentOf(other) : undefined;
      if (start?.time === undefined || start.day !== day || start.time === time) return false;
      const minutes = minutesBetween(start.time, time);
      return own.some((text) => text.said.times.has(start.time ?? "") && text.said.durations.has(minutes));
    });
  }

  private namedRecords(): readonly KnownRecord[] {
    const person = this.by("person");
    this.named ??= person ? namedRecords(this.known.records, person) : [];
    return this.named;
  }

  private isNamedId(id: string, { tool, name, flag = name }: Argument): boolean {
    return (
      (this.known.made.has(id) && /id$/i.test(flag)) ||
      this.namedRecords().some((record) => record.ids.includes(id) && isIdFor({ tool, argument: flag }, record))
    );
  }

  /** Somebody who has to do with a record that the person names, as he says. */
  private isOfNamedRecord(value: string): boolean {
    const person = this.by("person");
    return isMeantPerson(this.namedRecords(), value, (words) => person?.matches(words) === true);
  }

  /** The only address of mail on a page whose address the person gave. */
  private isOnlyOneThere(value: string): boolean {
    return (
      value.includes("@") &&
      this.known.pages.some((page) => {
        const there = addressesIn(page).filter((address) => address.includes("@"));
        return there.length === 1 && there[0] === value;
      })
    );
  }

  /** A sum, a difference or a share of numbers that the person and trusted results gave. */
  private follows(value: number, amounts: ReadonlySet<number>): boolean {
    const person = [...(this.by("person")?.said.amounts ?? [])].slice(0, 20);
    const given = [...person, ...(this.by("trusted")?.said.numbers ?? []), ...amounts].slice(0, 60);
    const isValue = (number: number) => number > 0 && Math.abs(number - value) < 1e-9;
    const shares = [...(this.by("person")?.said.percentages ?? [])].flatMap((share) =>
      given.map((number) => (number * share) / 100),
    );
    if (shares.some(isValue) || (given.length > 2 && isValue(given.reduce((sum, number) => sum + number, 0))))
      return true;
    const terms = [...person, ...shares];
    return terms.some((one) =>
      given.some((other) => one !== other && (isValue(one + other) || isValue(one - other) || isValue(other - one))),
    );
  }
}

/** Each part between commas was said. */
function isOfPartsSaid(value: string, holds: (part: string) => boolean): boolean {
  const parts = value.split(/[,;]/).map((part) => part.trim());
  const areAddresses = parts.every((part) => addressesIn(part)[0] === part || /^\p{L}[\p{L}\d ]*$/u.test(part));
  return parts.length > 1 && new Set(parts).size === parts.length && areAddresses && parts.every(holds);
}
