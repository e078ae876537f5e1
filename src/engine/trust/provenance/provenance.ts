import { isJsonObject, type Json, type JsonObject, parseJson } from "../../json.ts";
import { ConfirmedValues, type ConfirmedValue } from "./confirmed-values.ts";
import { isWholeAddress, leadsSomewhere } from "./destinations.ts";
import { fieldsIn } from "./fields.ts";
import type { FinishedToolCall, OwnStores, Place } from "./finished-call.ts";
import { type JudgedBy, judgeInput } from "./judge-input.ts";
import { KnownText } from "./known-text.ts";
import { Mentions } from "./mentions.ts";
import { amountsIn, type KnownRecord, recordsIn } from "./records.ts";
import type { UnsaidValue } from "./unsaid-value.ts";
import { type Arrived, unsaidValues } from "./unsaid-values.ts";
import { type Known, ValueOrigins } from "./value-origins.ts";
import { type EvidenceOrigin, holdsOthers, type JudgedTool, type KnownOrigin, type Verdict } from "./verdict.ts";

/**
 * What each side has brought into a conversation. Nothing in a text can claim an origin: it is told with the text by whoever
 * brings it. Only what is known to be the person's, the workflow's or trusted is evidence; whatever else a call holds counts as from
 * outside or unknown, so that a text which nobody told of here can only make the person be asked.
 */
export class Provenance {
  readonly texts = new Map<EvidenceOrigin, KnownText>();
  readonly caller = new Mentions();
  /** What a door's caller has said, each in the order in which it came. */
  private readonly callerWords: { value: Json; at: number | undefined }[] = [];
  readonly outside = new Mentions();
  /** What was added as evidence, for an agent that is called with it. */
  private readonly evidence: [EvidenceOrigin, Json, at: number | undefined][] = [];
  private readonly arrived: Arrived[] = [];
  readonly records: KnownRecord[] = [];
  /** Until the person or a caller says more, or there are more records. */
  private judges: JudgedBy | undefined;
  /** Texts of pages whose address the person gave. */
  readonly pages: string[] = [];
  private readonly standing: OwnStores;
  private readonly confirmed = new ConfirmedValues();
  /** Ids of what calls of this conversation made. */
  readonly made = new Set<string>();
  /** Of results of tools that the person called his own: numbers by the member that held them. */
  readonly amounts = new Map<string, Set<number>>();

  /** With `caller`, an agent that is called begins with what its caller has as evidence at that moment. `ownStores`: the run's. */
  constructor({
    caller,
    ownStores = { areSpoilt: false },
  }: { caller?: Provenance | undefined; ownStores?: OwnStores } = {}) {
    this.standing = ownStores;
    for (const [origin, value, at] of caller?.evidence ?? []) this.add(origin, value, { at });
    for (const { value, at } of caller?.callerWords ?? []) this.add("caller", value, { at });
    if (!caller) return;
    for (const record of caller.records) this.records.push(record);
    for (const id of caller.made) this.made.add(id);
  }

  /**
   * Adds what a side has said or given. `asked`: the arguments of the call that brought it; `from`: what a question names as its place;
   * `at`: when it was said, in milliseconds since 1970.
   */
  add(origin: KnownOrigin, value: Json, { asked = {}, from, at }: Brought = {}): void {
    if (origin === "person" || origin === "caller") this.judges = undefined;
    if (origin !== "outside" && origin !== "caller") {
      let text = this.texts.get(origin);
      if (!text) this.texts.set(origin, (text = new KnownText(origin === "person" ? "person" : "another")));
      text.add(value, at);
      this.evidence.push([origin, value, at]);
      return;
    }
    this[origin].add(value);
    if (origin === "caller") this.callerWords.push({ value, at });
    if (from) this.arrived.push({ value, from });
    if (this.isPlaceOfPerson(asked)) this.pages.push(typeof value === "string" ? value : JSON.stringify(value));
  }

  /** What the owner's own tools give may be what a stranger had written there, such as in an earlier turn. */
  spoil(): void {
    this.standing.areSpoilt = true;
  }

  /** A person has confirmed a value from outside for one argument of one tool. */
  confirm(value: ConfirmedValue): void {
    this.confirmed.add(value);
  }

  /** Whether the person said that somebody's address of mail stands where the call went: "her e-mail on her website: www…". */
  private isPlaceOfPerson(asked: JsonObject): boolean {
    const person = this.texts.get("person");
    const addresses = Object.entries(asked).filter(([name, value]) => leadsSomewhere(name, value));
    return (
      addresses.length > 0 &&
      addresses.every(([, value]) => {
        const place = String(value).replaceAll(/[^\w]/g, String.raw`\$&`);
        const said = String.raw`\b(?:her|his|their|its)\s+e-?mail(?:\s+address)?\s+(?:stands\s+|is\s+)?on\b[^.!?\n]{0,40}${place}`;
        return person?.holds(String(value)) === true && person.matches(new RegExp(said, "i"));
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
    for (const one of found) {
      // Where strangers may write a record, its address is theirs, whatever name they give it.
      this.records.push(areTrusted ? one : { ...one, ids: one.ownIds.filter((id) => !isWholeAddress(id)) });
    }
    if (found.length > 0) this.judges = undefined;
    if (!areTrusted) return;
    amountsIn(value, this.amounts);
    this.add("trusted", fieldsIn(value));
  }

  /** What a call that acted made is this conversation's own: the one thing that it answers with, and none that is listed in it. */
  private addMade(result: Json): void {
    if (!isJsonObject(result)) return;
    const itself = Object.entries(result).filter(([, member]) => typeof member !== "object");
    for (const id of recordsIn({ name: "made", ...Object.fromEntries(itself) }, "").flatMap(({ ownIds }) => ownIds))
      if (!isWholeAddress(id)) this.made.add(id);
  }

  judge(tool: JudgedTool, input: JsonObject): Verdict {
    this.judges ??= {
      origins: new ValueOrigins(this),
      caller: new ValueOrigins(this.asCallerKnows()),
      confirmed: this.confirmed,
    };
    return judgeInput(this.judges, tool, input);
  }

  /** A caller in the place of the person: what he says is his to give, and the owner's records are not his to name. */
  private asCallerKnows(): Known {
    const person = new KnownText("person");
    for (const { value, at } of this.callerWords) person.add(value, at);
    const { caller, outside } = this;
    return {
      texts: new Map([["person", person]]),
      caller,
      outside,
      records: [],
      pages: [],
      made: new Set(),
      amounts: new Map(),
    };
  }

  /** What a question shows of a verdict: each value once, with where it was read. */
  unsaid({ because }: Verdict): UnsaidValue[] {
    return unsaidValues(because, this.arrived);
  }
}

interface Brought {
  asked?: JsonObject;
  from?: Place | undefined;
  at?: number | undefined;
}
