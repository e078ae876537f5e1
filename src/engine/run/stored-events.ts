import { isJsonObject, type Json } from "../json.ts";
import type { RunEvent } from "./events.ts";
import { RepetitionPacker, RepetitionUnpacker } from "./repeated-messages.ts";

/** Begins a text that stands for another value: `<seq of the event>/<path in it>`, the path as in RFC 6901 (JSON Pointer). */
const mark = "switchyard-picture:";

/** A text that is a reference: the event's `seq`. */
const reference = new RegExp(`^${mark}(\\d+)/`);

/** References wherever they stand, also in JSON. */
const references = new RegExp(`${mark}(=${mark}|\\d+/[^"]*)`, "g");

/** Characters below which a reference saves nothing worth having. */
const fewestChars = 256;

/** From so many characters on, as JSON, a text or a step's input or output that comes again is stored once. */
const largeChars = 4_096;

/** Parts of events that one step takes over from another. */
const repeatedParts: readonly string[] = ["input", "output"];

/** What is remembered of inputs and outputs to know them again: so many of them, of at most so many characters each. */
const remembered = { values: 32, chars: 2_000_000 };

const dataUrl = /^data:(?:image\/[a-z0-9.+-]{1,40}|application\/pdf|audio\/(?:wav|mpeg));base64,/;
/** How the files of PNG, JPEG, GIF, WebP and AVIF or HEIC begin, as base64. */
const base64 = /^(?:iVBORw0KGgo|\/9j\/|R0lGOD|UklGR|AAAA[A-Za-z0-9+/]{4}ZnR5c)[A-Za-z0-9+/]{100}/;

/** Whether a text holds the bytes of a picture, document or recording and nothing else, as far as its beginning says. */
function isPicture(text: string): boolean {
  return text.length >= fewestChars && (dataUrl.test(text) || base64.test(text));
}

/** Whether a value has a picture in it, at any depth. */
export function holdsPicture(value: Json): boolean {
  let found = false;
  changeJson(value, (text) => {
    found ||= isPicture(text);
    return text;
  });
  return found;
}

/** The `seq` of each event to which references in a value lead, as `EventPacker.refer` made them. */
export function eventsReferredTo(value: Json): number[] {
  const found = new Set<number>();
  changeJson(value, (text) => {
    const seq = reference.exec(text)?.[1];
    if (seq !== undefined) found.add(Number(seq));
    return text;
  });
  return [...found];
}

/** A value with references in it as a list shows it, also where it was cut to the beginning of its JSON. */
export function withoutReferences(value: Json): Json {
  return changeJson(value, (text) =>
    text.replace(references, (_, rest: string) => (rest.startsWith("=") ? mark : "[picture]")),
  );
}

/**
 * Brings the events of one run, taken in their order, into the form in which they are stored: a picture, a long text and a
 * large input or output stay whole where they come first and are references wherever they come again, and a model call is
 * without what it repeats of the one before.
 */
export class EventPacker {
  /** The reference to each picture so far. */
  private readonly references = new Map<string, string>();
  /** The same of long texts, and of large inputs and outputs as JSON. */
  private readonly texts = new Map<string, string>();
  private readonly values = new Map<string, string>();
  private readonly repetitions = new RepetitionPacker();

  /** The event itself when it repeats nothing. */
  pack(event: RunEvent): RunEvent {
    const packed = changeTexts(this.repetitions.pack(event), (text, path) => {
      if (text.startsWith(mark)) return `${mark}=${text}`;
      const isPart = isPicture(text);
      if (!isPart && text.length < largeChars) return text;
      const places = isPart ? this.references : this.texts;
      const known = places.get(text);
      if (known === undefined) places.set(text, `${mark}${event.seq}/${path.map(escaped).join("/")}`);
      return known ?? text;
    });
    return this.withoutRepeatedValues(event, packed);
  }

  /** `packed` without the inputs and outputs of `event` that an event before it has too. */
  private withoutRepeatedValues(event: RunEvent, packed: RunEvent): RunEvent {
    let copy = packed;
    for (const key of repeatedParts) {
      const value = ownValue(event, key);
      if (typeof value !== "object" || value === null) continue;
      const json = JSON.stringify(value);
      if (json.length < largeChars || json.length > remembered.chars) continue;
      const known = this.values.get(json);
      if (known === undefined) this.remember(json, `${mark}${event.seq}/${key}`);
      else {
        if (copy === packed) copy = { ...packed };
        Reflect.set(copy, key, known);
      }
    }
    return copy;
  }

  private remember(json: string, place: string): void {
    const [oldest] = this.values.keys();
    if (oldest !== undefined && this.values.size >= remembered.values) this.values.delete(oldest);
    this.values.set(json, place);
  }

  /** A value that is stored beside the events: each picture that one of them has is a reference to it. */
  refer(value: Json): Json {
    return changeJson(value, (text) =>
      text.startsWith(mark) ? `${mark}=${text}` : (this.references.get(text) ?? text),
    );
  }
}

/**
 * Brings stored events of one run, taken in their order and in parts of any size, back to what they were before
 * `EventPacker`; those that it left alone stay the same objects.
 */
export class EventUnpacker {
  /** Events as they are stored; a reference names one that stands before it, or another place in its own event. */
  private readonly bySeq = new Map<number, RunEvent>();
  private readonly repetitions = new RepetitionUnpacker();

  unpack(event: RunEvent): RunEvent {
    this.bySeq.set(event.seq, event);
    return this.repetitions.unpack(changeTexts(event, (text) => this.whole(text)));
  }

  /** A value that `refer` made, as it was; the events that it leads to have been unpacked before. */
  value(value: Json): Json {
    return changeJson(value, (text) => this.whole(text));
  }

  /** A value that a reference leads to has at most references to texts in it. */
  private whole(text: string, isInside = false): Json {
    if (!text.startsWith(mark)) return text;
    const rest = text.slice(mark.length);
    if (rest.startsWith("=")) return rest.slice(1);
    const [seq = "", ...path] = rest.split("/");
    const found = path.map(unescaped).reduce<unknown>(ownValue, this.bySeq.get(Number(seq)));
    if (typeof found === "string") return found;
    const isPart = path.length === 1 && repeatedParts.includes(path[0] ?? "");
    if (!isPart || isInside || typeof found !== "object" || found === null) return text;
    // Stored events are JSON.
    return changeJson(found as Json, (inner) => this.whole(inner, true));
  }
}

function ownValue(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
}

function escaped(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}

function unescaped(key: string): string {
  return key.replaceAll("~1", "/").replaceAll("~0", "~");
}

type Change = (text: string, path: readonly string[]) => Json;

/** The event with every text in it changed, at any depth; the event itself when nothing did. */
function changeTexts(event: RunEvent, change: Change): RunEvent {
  let copy = event;
  for (const [key, value] of Object.entries(event)) {
    const changed = changeValue(value, [key], change);
    if (changed === value) continue;
    if (copy === event) copy = { ...event };
    Reflect.set(copy, key, changed);
  }
  return copy;
}

function changeJson(value: Json, change: (text: string) => Json): Json {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((inner) => changeJson(inner, change));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, changeJson(inner, change)]));
}

function changeValue(value: unknown, path: string[], change: Change): unknown {
  if (typeof value === "string") return change(value, path);
  if (typeof value !== "object" || value === null) return value;
  let copy: object | undefined;
  for (const [key, inner] of Object.entries(value)) {
    path.push(key);
    const changed = changeValue(inner, path, change);
    path.pop();
    if (changed === inner) continue;
    copy ??= Array.isArray(value) ? [...value] : { ...value };
    Reflect.set(copy, key, changed);
  }
  return copy ?? value;
}
