import { isJsonObject, type Json, type JsonObject, type JsonSchema, parseJson } from "../../json.ts";
import { firstChars } from "../../well-formed.ts";
import { addressesIn } from "./addresses.ts";
import { leavesOf, membersOf } from "./argument-values.ts";
import { fieldsIn } from "./fields.ts";
import { KnownText } from "./known-text.ts";
import { isSaidDay, minutesBetween, momentOf } from "./moments.ts";
import { namedRecords } from "./named-records.ts";
import { sentenceAround } from "./sentence-around.ts";
import { amountsIn, isIdFor, isMeantPerson, type KnownRecord, recordsIn } from "./records.ts";
import { type UnsaidValue, unsaidLimits } from "./unsaid-value.ts";

/** Where a value of a call came from, as far as the conversation shows it. */
export const origins = ["person", "workflow", "trusted", "caller", "outside", "unknown"] as const;
export type Origin = (typeof origins)[number];

/** A text or a result that came into a conversation. */
export type KnownOrigin = Exclude<Origin, "unknown">;

/** One value of a call's arguments. `path`: names and places from the arguments on. */
export interface JudgedValue {
  path: (string | number)[];
  value: Json;
  origin: Origin;
}

/** Where one value of a call came from, as the log keeps it. */
export type ValueOrigin = Pick<JudgedValue, "path" | "origin">;

/** What a tool says of itself. */
export interface JudgedTool {
  name: string;
  parameters: JsonSchema;
  /** It changes, sends or pays. */
  acts: boolean;
  /** Names of arguments that do not decide: what a message says, not where it goes. All decide where it is absent. */
  content?: readonly string[];
}

/** Whether a person must be asked after something came from outside, and the values for which. */
export interface Verdict {
  asks: boolean;
  because: JudgedValue[];
  values: JudgedValue[];
}

/** What tools do that take something away. */
const destroying =
  "archive ban bulkdelete cancel clear decline delete destroy disable discard drop erase expire kick overwrite purge reject remove reset revoke rm terminate trash truncate uninvite unlink unpublish unshare unsubscribe void wipe".split(
    " ",
  );

const denial = /\b(?:not|never|nothing|without|don['’]t|no)\b/i;

/** Arguments of which a number follows from others. */
const payingArgument = /(?:amount|price|total|sum|cost|value|fee|refund)$/i;

/** Arguments that lead a request somewhere. */
const addressArgument =
  /^(?:(?:url|uri|href|link|host|hostname|domain|endpoint|webhook|web_?page|site|website)s?|src)$|(?:_|[a-z])(?:url|Url|URL)s?$/i;

/** A value that leads somewhere whatever its argument is called: with a scheme, beginning with a host, or put behind one. */
const leading = /:[\\/]{2}|^\s*(?:(?:https?|ftp|wss?|data|file|mailto):|[\\/]{2}|@[^\s@]+\.|www\.)/i;

/**
 * What each side has brought into a conversation. Nothing in a text can claim an origin: it is told with the text by whoever
 * brings it. Only what is known to be the person's, the workflow's or trusted is evidence; whatever else a call holds counts as from
 * outside or unknown, so that a text which nobody told of here can only make the person be asked.
 */
export class Provenance {
  private readonly texts = new Map<KnownOrigin, KnownText>();
  /** What was added as evidence, for an agent that is called with it. */
  private readonly evidence: [KnownOrigin, Json][] = [];
  private readonly arrived: Arrived[] = [];
  private readonly records: KnownRecord[] = [];
  /** Those that the person names, until more is known. */
  private named: KnownRecord[] | undefined;
  /** Texts of pages whose address the person gave. */
  private readonly pages: string[] = [];
  private readonly standing: OwnStores;
  /** Ids of what calls of this conversation made. */
  private readonly made = new Set<string>();
  /** Of results of tools that the person called his own: numbers by the member that held them. */
  private readonly amounts = new Map<string, Set<number>>();

  /** With `caller`, an agent that is called begins with what its caller has as evidence at that moment. `ownStores`: the run's. */
  constructor({
    caller,
    ownStores = { areSpoilt: false },
  }: { caller?: Provenance | undefined; ownStores?: OwnStores } = {}) {
    this.standing = ownStores;
    for (const [origin, value] of caller?.evidence ?? []) this.add(origin, value);
    if (!caller) return;
    this.records.push(...caller.records);
    for (const id of caller.made) this.made.add(id);
  }

  /** Adds what a side has said or given. `asked`: the arguments of the call that brought it; `from`: what a question names as its place. */
  add(origin: KnownOrigin, value: Json, { asked = {}, from }: Brought = {}): void {
    let text = this.texts.get(origin);
    if (!text) this.texts.set(origin, (text = new KnownText()));
    text.add(value);
    this.named = undefined;
    if (origin !== "outside" && origin !== "caller") {
      this.evidence.push([origin, value]);
      return;
    }
    if (from) this.arrived.push({ value, from });
    if (this.isPlaceOfPerson(asked)) this.pages.push(textOf(value));
  }

  /** What the owner's own tools give may be what a stranger had written there, such as in an earlier turn. */
  spoil(): void {
    this.standing.areSpoilt = true;
  }

  /** Whether the person said that somebody's address of mail stands where the call went: "her e-mail on her website: www…". */
  private isPlaceOfPerson(asked: JsonObject): boolean {
    const addresses = Object.entries(asked).filter(([name, value]) => isAddress(name, value));
    return (
      addresses.length > 0 &&
      addresses.every(([, value]) => {
        const place = String(value).replaceAll(/[^\w]/g, String.raw`\$&`);
        const said = String.raw`\b(?:her|his|their|its)\s+e-?mail(?:\s+address)?\s+(?:stands\s+|is\s+)?on\b[^.!?\n]{0,40}${place}`;
        return (
          this.by("person")?.holds(String(value)) === true && this.by("person")?.matches(new RegExp(said, "i")) === true
        );
      })
    );
  }

  /**
   * The result of a call. It is from outside, but for the fields of the owner's own tools: those are trusted where nothing from
   * outside can have made them what they are, neither by the call's own arguments nor by a call before it that may have changed what
   * is read. `verdict`: how the call was judged at its start; absent where nothing was mixed in then.
   */
  addResult({ tool, input, output, wrote, own, verdict, from }: FinishedToolCall): void {
    const isOwnCall = verdict === undefined || !holdsOthers(verdict);
    if (wrote && (verdict?.asks === true || !isOwnCall)) this.spoil();
    const value = typeof output === "string" ? (parseJson(output) ?? output) : output;
    this.add("outside", output, { asked: input, from });
    if (wrote && isOwnCall && own !== undefined) this.addMade(value);
    if (own === undefined) return;
    const areTrusted = own === "fields" && isOwnCall && !this.standing.areSpoilt;
    const found = recordsIn(value, tool.name);
    // Where strangers may write a record, its address is theirs, whatever name they give it.
    this.records.push(
      ...(areTrusted ? found : found.map((one) => ({ ...one, ids: one.ownIds.filter((id) => !isWholeAddress(id)) }))),
    );
    this.named = undefined;
    if (!areTrusted) return;
    amountsIn(value, this.amounts);
    for (const field of fieldsIn(value)) this.add("trusted", field);
  }

  /** What a call that acted made is this conversation's own: the one thing that it answers with, and none that is listed in it. */
  private addMade(result: Json): void {
    if (!isJsonObject(result)) return;
    const itself = Object.entries(result).filter(([, member]) => typeof member !== "object");
    for (const id of recordsIn({ name: "made", ...Object.fromEntries(itself) }, "").flatMap(({ ownIds }) => ownIds))
      if (!isWholeAddress(id)) this.made.add(id);
  }

  judge({ name: tool, acts, content = [], parameters }: JudgedTool, input: JsonObject): Verdict {
    const values: JudgedValue[] = [];
    const because: JudgedValue[] = [];
    // Nothing shows that the person wanted it.
    if (acts && (Object.keys(input).length === 0 || !this.isDestructionWanted(tool)))
      because.push({ path: [], value: tool, origin: "unknown" });
    const known = membersOf(parameters);
    for (const [name, given] of Object.entries(input)) {
      if (!Object.hasOwn(propertiesOf(parameters), name)) {
        const judged = { path: [name], value: name, origin: this.originOfText(name) };
        values.push(judged);
        if (acts && !isOwn(judged.origin)) because.push(judged);
      }
      const isContent = content.includes(name);
      for (const { path, value } of leavesOf(given, [name], known)) {
        const flag = path.findLast((step) => typeof step === "string") ?? name;
        const origin = this.isDeniedVerb(value) ? "unknown" : this.originOf(value, { name, flag, input, parameters });
        const judged = { path, value, origin };
        values.push(judged);
        if (isOwn(judged.origin)) continue;
        if (isContent) {
          if (acts && typeof value === "string") because.push(...this.strangeAddresses(path, value));
        } else if (acts || path.some((step) => typeof step === "string" && isAddress(step, value))) {
          because.push(judged);
        }
      }
    }
    return { asks: because.length > 0, because, values };
  }

  /** What a question shows of a verdict: each value once, with where it was read. */
  unsaid({ because }: Verdict): UnsaidValue[] {
    return because.slice(0, unsaidLimits.values).map(({ path, value, origin }) => {
      const text = textOf(value);
      const from = this.placeOf(text);
      const side = origin === "caller" || origin === "outside" ? origin : from ? "outside" : "unknown";
      return { path, value: firstChars(text, unsaidLimits.value), origin: side, ...(from ? { from } : {}) };
    });
  }

  private placeOf(text: string): UnsaidValue["from"] {
    if (text.trim().length < 2) return undefined;
    for (const { value, from } of this.arrived.toReversed()) {
      const sentence = sentenceAround(value, text);
      if (sentence === undefined) continue;
      const { callId, title } = from;
      return { ...(callId === undefined ? {} : { callId }), title: firstChars(title, unsaidLimits.title), sentence };
    }
    return undefined;
  }

  /** Whether a tool that takes something away does what the person's words ask for: "delete", where it is `delete_file`. */
  private isDestructionWanted(tool: string): boolean {
    const words = tool
      .replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ")
      .toLowerCase()
      .split(/[^a-z]+/);
    const verbs = words.flatMap((word) => destroying.find((verb) => word.startsWith(verb)) ?? []);
    const person = this.by("person");
    const isDenied = this.isAnythingDenied();
    return verbs.every((verb) => !isDenied && person?.matches(new RegExp(String.raw`\b${verb}\b`, "i")) === true);
  }

  private isAnythingDenied(): boolean {
    return this.by("person")?.matches(denial) === true;
  }

  /** "Do not delete anything" names `delete` and is no word for it. */
  private isDeniedVerb(value: Json): boolean {
    return typeof value === "string" && destroying.includes(value.trim().toLowerCase()) && this.isAnythingDenied();
  }

  private strangeAddresses(path: (string | number)[], text: string): JudgedValue[] {
    const found = addressesIn(text);
    return found
      .filter((address) => !found.some((other) => other !== address && other.includes(address)))
      .map((value) => ({ path, value, origin: this.originOfText(value) }))
      .filter(({ origin }) => !isOwn(origin));
  }

  private originOf(value: Json, argument: Argument): Origin {
    if (typeof value === "boolean" || value === null) return this.originOfFlag(value, argument);
    if (typeof value === "number")
      return this.isOnlyCount(String(value), argument) ? "unknown" : this.originOfNumber(value, argument);
    if (typeof value !== "string" || value === "") return "unknown";
    if (this.isOnlyCount(value, argument)) return "unknown";
    return this.originOfText(value, argument);
  }

  private originOfText(value: string, argument?: Argument): Origin {
    const said = this.saidBy((text) => text.holds(value));
    if (said !== undefined && said !== "outside") return said;
    const moment = momentOf(value);
    if (moment && this.isSaidMoment(moment, argument)) return "person";
    if (argument && this.isNamedId(value, argument.name)) return "person";
    if (this.isOfNamedRecord(value) || this.isOnlyOneThere(value)) return "person";
    if (argument && this.isShortFor(value, argument)) return "person";
    if (isOfPartsSaid(value, (part) => this.by("person")?.holds(part) === true)) return "person";
    return said ?? "unknown";
  }

  private originOfNumber(value: number, argument: Argument): Origin {
    const said = this.saidBy((text) => text.said.numbers.has(value));
    if (said !== undefined && said !== "outside") return said;
    if (this.isNamedId(String(value), argument.name)) return "person";
    const amounts = this.amounts.get(argument.name) ?? new Set();
    if (amounts.has(value)) return "trusted";
    return payingArgument.test(argument.name) && this.follows(value, amounts) ? "person" : (said ?? "unknown");
  }

  /** "The last 5 mails" is no word for the account of id 5, as "account 5", "#5" and "id 5" are. */
  private isOnlyCount(value: string, { name }: Argument): boolean {
    const [kind] = /^(.*?)(?:_?ids?|Ids?)_?$/.exec(name)?.slice(1) ?? [];
    if (kind === undefined || !/^\d{1,2}$/.test(value) || this.isNamedId(value, name)) return false;
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

  private by(origin: KnownOrigin): KnownText | undefined {
    return this.texts.get(origin);
  }

  private saidBy(test: (text: KnownText) => boolean): KnownOrigin | undefined {
    return (["person", "workflow", "trusted", "caller", "outside"] as const).find((origin) => {
      const text = this.by(origin);
      return text !== undefined && test(text);
    });
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
    this.named ??= person ? namedRecords(this.records, person) : [];
    return this.named;
  }

  private isNamedId(id: string, argument: string): boolean {
    return (
      (this.made.has(id) && /id$/i.test(argument)) ||
      this.namedRecords().some((record) => record.ids.includes(id) && isIdFor(argument, record))
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
      this.pages.some((page) => {
        const there = addressesIn(page).filter((address) => address.includes("@"));
        return there.length === 1 && there[0] === value;
      })
    );
  }

  /** A sum, a difference or a share of numbers that the person and trusted results gave. */
  private follows(value: number, amounts: ReadonlySet<number>): boolean {
    const person = [...(this.by("person")?.said.numbers ?? [])].slice(0, 20);
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

/**
 * Whether a call with values from outside may have changed what the owner's own tools give from now on: shared by all agents of a run,
 * since they may use the same tools.
 */
export interface OwnStores {
  areSpoilt: boolean;
}

/** A call that was made. `wrote`: it may have changed something. `own`: how far the owner trusts its results. */
export interface FinishedToolCall {
  tool: JudgedTool;
  input: JsonObject;
  output: Json;
  wrote: boolean;
  own?: OwnResults | undefined;
  verdict?: Verdict | undefined;
  from?: Place | undefined;
}

/**
 * What the owner says of a tool's results: `records` are his own, though strangers may have written in them, such as his mail, so
 * those that he names may be acted on; `fields`: nobody else fills in their short fields. Their free text is never trusted.
 */
export const ownResults = ["records", "fields"] as const;
export type OwnResults = (typeof ownResults)[number];

/** Where a text was read. */
export interface Place {
  callId?: string | undefined;
  title: string;
}

interface Arrived {
  value: Json;
  from: Place;
}

interface Brought {
  asked?: JsonObject;
  from?: Place | undefined;
}

function textOf(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** An argument among its fellows. */
interface Argument {
  name: string;
  /** The innermost member's name, by which a flag is spoken of. */
  flag?: string;
  input: JsonObject;
  parameters: JsonSchema;
}

function propertiesOf(schema: JsonObject): JsonObject {
  const { properties } = schema;
  return isJsonObject(properties) ? properties : {};
}

/** Whether a call has a value that nobody gave who may, also where it decides nothing. */
export function holdsOthers({ values }: Verdict): boolean {
  return values.some(({ origin }) => !isOwn(origin));
}

function isOwn(origin: Origin): boolean {
  return origin === "person" || origin === "workflow" || origin === "trusted";
}

function isAddress(name: string, value: Json): boolean {
  if (typeof value !== "string") return false;
  const text = value.trim();
  return addressArgument.test(name) || leading.test(value) || (text.includes("/") && isWholeAddress(text));
}

function isWholeAddress(text: string): boolean {
  return addressesIn(text).includes(text);
}

/** Each part between commas was said. */
function isOfPartsSaid(value: string, holds: (part: string) => boolean): boolean {
  const parts = value.split(/[,;]/).map((part) => part.trim());
  const areAddresses = parts.every((part) => addressesIn(part)[0] === part || /^\p{L}[\p{L}\d ]*$/u.test(part));
  return parts.length > 1 && new Set(parts).size === parts.length && areAddresses && parts.every(holds);
}
