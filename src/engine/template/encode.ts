import type { TemplatePlace } from "../config/field.ts";
import type { Json } from "../json.ts";
import { TemplateProblem } from "./template-problem.ts";

/** A value as text: text as it is, null as nothing, the rest as JSON. */
export function valueText(value: Json): string {
  if (typeof value === "string") return value;
  return value === null ? "" : JSON.stringify(value);
}

/** Where in its field an inserted value stands. */
interface Insertion {
  place: TemplatePlace;
  /** The field's text before the value, values before it included. */
  before: string;
  /** Whether text or another value follows. */
  followed: boolean;
  /** Whether the field's own text is JSON (starts with an object, a list or a quote). */
  isJson: boolean;
  position: number;
}

/**
 * A value as it stands in its place: percent-encoded in a URL, without line breaks in a header, as JSON in a JSON
 * body, as it is in text. Throws a TemplateProblem when the value cannot stand there safely.
 */
export function encodeValue(value: Json, insertion: Insertion): string {
  switch (insertion.place) {
    case "text":
    case "value":
    case "sql":
      return valueText(value);
    case "url":
      return encodeForUrl(value, insertion);
    case "header":
      return headerText(valueText(value), insertion.position);
    case "json":
      // Within a text literal: what stands bare in JSON is written by `exactText`.
      if (!insertion.isJson) return valueText(value);
      return JSON.stringify(valueText(value)).slice(1, -1);
  }
}

/** A header's value without line breaks and other control characters, which could begin a header of their own. */
export function headerText(text: string, position: number): string {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if ((code < 32 && code !== 9) || code === 127) {
      throw new TemplateProblem(
        "value",
        position,
        "The value contains a line break or control character, which a header cannot hold.",
        "Remove it from the value first.",
      );
    }
  }
  return text;
}

/** At the very start a value may be a whole address; anywhere else it is one percent-encoded component. */
function encodeForUrl(value: Json, { before, followed, position }: Insertion): string {
  const text = valueText(value);
  if (before !== "") return encodeComponent(text);
  if (!followed) return text;
  if (/^https?:\/\/[^\s?#\\@]+$/i.test(text) && !hasDotSegment(text)) return text;
  throw new TemplateProblem(
    "value",
    position,
    "The address at the start of this field cannot be continued.",
    "It must be an http or https address without user, query or fragment.",
  );
}

function encodeComponent(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, "\uFFFD")).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

const dotSegment = /^(?:\.|%2e){1,2}$/i;

/** Whether a URL's path has a `.` or `..` step, which would lead elsewhere than the author wrote. */
export function hasDotSegment(url: string): boolean {
  const path = url.split(/[?#]/, 1)[0] ?? "";
  return path.split(/[/\\]/).some((segment) => dotSegment.test(segment));
}

/** Follows a JSON text and tells whether its end stands inside a text literal. */
export function endsInsideJsonText(text: string, inside: boolean): boolean {
  for (let at = 0; at < text.length; at += 1) {
    if (inside && text[at] === "\\") at += 1;
    else if (text[at] === '"') inside = !inside;
  }
  return inside;
}
