import { isJsonObject, type Json, type JsonObject, parseJson } from "../../../engine/json.ts";
import { concat } from "../../expressions/concat.ts";
import { asArgument } from "../../expressions/piece.ts";
import { asExpressions, jsonTemplate } from "../flow-nodes.ts";
import type { Made, Step } from "../made.ts";
import { plainLocator, type NodeWork } from "../node-work.ts";

/** One request to a service's API. All texts are templates. */
export interface AppRequest {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Added to the service's base address, or an address of its own. */
  path: string;
  query?: JsonObject;
  headers?: Record<string, string>;
  body?: Json;
  /** A web form instead of JSON. */
  form?: Record<string, string>;
  /** A form that may have files. */
  parts?: JsonObject;
  /** Where the list is in the answer, which is the output then, and how more of it is asked for. */
  paging?: Paging;
  /** The credential, where it is another one than the service's usual one. */
  needs?: string;
  /** Steps that run before it. */
  before?: readonly Step[];
  /** What differs from n8n's node. */
  note?: string;
}

/**
 * A list in pages by a cursor: the parameter that carries it, its path in the answer, the path of the list, and whether all are
 * wanted. Without a parameter the answer has the address of the next page.
 */
export interface Paging {
  parameter: string;
  next: string;
  items: string;
  all: boolean;
}

/** A request, or what else the node becomes, such as a placeholder where the service has no such request. */
export type AppMapper = (work: NodeWork) => AppRequest | Made;

/** Mappers by n8n's `resource.operation`. */
export type AppMappers = Readonly<Record<string, AppMapper>>;

export const isRequest = (made: AppRequest | Made): made is AppRequest => "method" in made;

/** What cannot be one request of the service's API. Its settings are kept. */
export const unsaid = (note: string): Made => ({ outcome: "placeholder", note });

/** Whether a parameter is given at all. */
export function isGiven(work: NodeWork, ...path: string[]): boolean {
  const value = work.at(...path);
  return value !== undefined && value !== null && value !== "" && value !== "=";
}

/** A parameter as a template; undefined where n8n has none. */
export function given(work: NodeWork, ...path: string[]): Json | undefined {
  return templated(work, work.at(...path));
}

/** A value as a template; undefined for none. */
export function templated(work: NodeWork, value: Json | undefined): Json | undefined {
  const inner = plainLocator(value);
  if (inner === undefined || inner === null || inner === "" || inner === "=") return undefined;
  return work.template(inner);
}

/** An object without the members that are not given. */
export function present(members: Readonly<Record<string, Json | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** As `present`, with every value as text. */
export function presentTexts(members: Readonly<Record<string, Json | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(present(members)).map(([name, value]) => [name, asText(value)]));
}

export const asText = (value: Json): string =>
  typeof value === "string"
    ? value
    : value === null
      ? ""
      : typeof value === "object"
        ? JSON.stringify(value)
        : String(value);

/** An expression within a template, whose own texts may hold braces. */
const expressions = /(\{\{(?:"(?:[^"\\]|\\.)*"|(?!\}\})[^"])*\}\})/;

/** A parameter as a part of an address: what is written is encoded here, what is inserted when it runs. */
export function segment(work: NodeWork, ...path: string[]): string {
  return inAddress(work.textOf(work.at(...path)));
}

/** A template as a part of an address. */
export function inAddress(template: string): string {
  return template
    .split(expressions)
    .map((part) => (part.startsWith("{{") ? part : encodeURIComponent(part)))
    .join("");
}

/** As `segment`, where slashes separate folders. */
export const pathSegments = (work: NodeWork, ...path: string[]) => segment(work, ...path).replaceAll("%2F", "/");

/**
 * The id that a parameter names: n8n lets people paste the address of a page instead. `pattern` finds the id in the address as
 * its first group.
 */
export function idOf(work: NodeWork, pattern: string, ...path: string[]): string {
  const value = work.at(...path);
  if (typeof value !== "string" || !value.startsWith("=")) {
    const text = value === undefined || value === null ? "" : asText(value);
    const id = new RegExp(pattern).exec(text)?.[1];
    if (id !== undefined && id !== text) work.drop(path, "The ID in the address counts.");
    return inAddress(work.textOf(id ?? text));
  }
  const locator = work.node.parameters.find(path).value;
  if (!isJsonObject(locator) || locator.mode !== "url") return inAddress(work.textOf(value));
  const text = `text(${cel(work, value)})`;
  return `{{replacePattern(${text}, ${JSON.stringify(`^.*?${pattern}.*$`)}, "$1")}}`;
}

/** A parameter as an expression. */
export function cel(work: NodeWork, value: Json | undefined): string {
  return asArgument(work.operand(value));
}

/** A list that n8n lets people write as text with commas; an expression is one that gives either. */
export function listOf(work: NodeWork, value: Json | undefined): Json | undefined {
  const inner = plainLocator(value);
  if (inner === undefined || inner === null || inner === "") return undefined;
  if (Array.isArray(inner)) return inner.length === 0 ? undefined : inner.map((one) => work.template(one));
  if (typeof inner !== "string" || !inner.startsWith("="))
    return asText(inner)
      .split(",")
      .map((one) => work.textOf(one.trim()))
      .filter((one) => one !== "");
  const code = cel(work, inner);
  return `{{isList(${code}) ? dyn(${code}) : dyn(split(text(${code}), ",").map(one, trim(one)))}}`;
}

/** As `listOf`, as one text with commas. */
export function joinedList(work: NodeWork, value: Json | undefined): string | undefined {
  const list = listOf(work, value);
  if (list === undefined) return undefined;
  return Array.isArray(list) ? list.join(",") : `{{join(${String(list).slice(2, -2)}, ",")}}`;
}

/**
 * JSON that n8n has as text: read where it is whole, with the expressions in its texts; else what its expression gives.
 */
export function jsonOf(work: NodeWork, value: Json | undefined): Json | undefined {
  if (typeof value !== "string") return value === undefined || value === null ? undefined : work.template(value);
  const isExpression = value.startsWith("=");
  const text = value.replace(/^=/, "").trim();
  if (text === "") return undefined;
  const fixed = parseJson(text);
  if (fixed !== undefined && typeof fixed === "object")
    return work.template(isExpression ? asExpressions(fixed) : fixed);
  if (!isExpression) return undefined;
  const template = work.text(`=${text}`);
  const made = jsonTemplate(template);
  if (made) return made;
  const code = expressionOf(template);
  return `{{typeName(${code}) == "string" ? dyn(parseJson(${code})) : dyn(${code})}}`;
}

/** A template of one expression as it is; any other as an expression that gives its text. */
export function expressionOf(template: string): string {
  const parts = template.split(expressions).filter((part) => part !== "");
  const [only] = parts;
  if (parts.length === 1 && only?.startsWith("{{")) return only.slice(2, -2);
  if (parts.length === 0) return '""';
  const pieces = parts.map((part) => (part.startsWith("{{") ? `text(${part.slice(2, -2)})` : JSON.stringify(part)));
  return pieces.length === 1 ? (pieces[0] ?? '""') : concat(pieces);
}
