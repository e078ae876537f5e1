import { readFileSync } from "node:fs";
import { compileExpression } from "../../src/engine/template/expression.ts";
import { recordScope } from "../../src/engine/template/scope.ts";
import { TemplateProblem } from "../../src/engine/template/template-problem.ts";
import type { Json } from "../../src/engine/json.ts";
import { translate } from "../../src/import/expressions/translate.ts";
import { ShapeReader } from "./data-shape.ts";
import { type JavaScript, openJavaScript } from "./javascript-answer.ts";
import { DataMaker, seeded, withGaps } from "./made-data.ts";

/** How often an expression gave what JavaScript gives, on data as it expects and on data with gaps. */
export interface Compared {
  source: string;
  cel: string;
  whole: { equal: number; total: number };
  gaps: { equal: number; total: number };
  /** The first difference, to be read. */
  difference?: {
    zone: string;
    json: Json;
    nodes: Record<string, Json>;
    expected: Json;
    given: Json | { problem: string };
  };
}

const zones = ["UTC", "Europe/Berlin", "America/New_York"];
const now = Date.UTC(2026, 4, 5, 10, 20, 30, 400);

/** The expressions of a workflow from n8n, each once; those that the model fills in have no value of their own. */
export function expressionsIn(value: unknown): string[] {
  const found = new Set<string>();
  const visit = (one: unknown) => {
    if (typeof one === "string" && one.startsWith("=")) {
      for (const [, inner = ""] of one.slice(1).matchAll(/\{\{([\s\S]*?)\}\}/g)) found.add(inner.trim());
    } else if (typeof one === "object" && one !== null) Object.values(one).forEach(visit);
  };
  visit(value);
  return [...found].filter((source) => source !== "" && !/\$fromai\b/i.test(source));
}

const lists = ["everyday.txt", "../../src/import/expressions/expressions.txt"];

/** Expressions as people write them in n8n. */
export function everydayExpressions(): string[] {
  const texts = lists.map((name) => readFileSync(new URL(name, import.meta.url), "utf8"));
  return texts.flatMap((text) => text.split("\n")).filter(Boolean);
}

/** How often each of the expressions gave what JavaScript gives; what has no translation is left out. */
export async function compareAll(sources: readonly string[], rounds: number): Promise<Compared[]> {
  const javaScript = await openJavaScript();
  try {
    return sources.flatMap((source) => compareReadable(source, javaScript, rounds) ?? []);
  } finally {
    javaScript.close();
  }
}

/** Nothing for what JavaScript itself cannot read, such as half an expression. */
function compareReadable(source: string, javaScript: JavaScript, rounds: number): Compared | undefined {
  try {
    return compareValues(source, javaScript, rounds);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The share of equal values, from 0 to 1. */
export function equalShare(all: readonly Compared[], kind: "whole" | "gaps"): number {
  const total = all.reduce((sum, one) => sum + one[kind].total, 0);
  return all.reduce((sum, one) => sum + one[kind].equal, 0) / total;
}

/**
 * Compares a translated expression with JavaScript on `rounds` pieces of data made from what it reads, each whole and with
 * a third of its fields missing. Undefined where there is no translation. Throws a SyntaxError for what is no JavaScript.
 */
function compareValues(source: string, javaScript: JavaScript, rounds: number): Compared | undefined {
  const reader = new ShapeReader();
  reader.add(source);
  const { json, nodes } = reader.reads;
  const slugs = new Map([...nodes.keys()].map((name, index) => [name, `n${index}`]));
  const names = { node: (name: string) => (slugs.has(name) ? `nodes.${slugs.get(name) ?? ""}` : undefined) };
  if (!translate(source, { names }).ok) return undefined;
  const result: Compared = { source, cel: "", whole: { equal: 0, total: 0 }, gaps: { equal: 0, total: 0 } };
  for (let round = 0; round < rounds; round += 1) {
    const random = seeded(round + source.length * 1_000);
    const zone = zones[round % zones.length] ?? "UTC";
    const made = translate(source, { names, ...(zone === "UTC" ? {} : { zone }) });
    if (!made.ok) return undefined;
    result.cel = made.cel;
    const maker = new DataMaker(random);
    const full = [maker.record(json), ...[...nodes.values()].map((shape) => maker.record(shape))] as const;
    for (const [kind, data] of [
      ["whole", full],
      ["gaps", full.map((one) => withGaps(one, random))],
    ] as const) {
      const [own = null, ...others] = data;
      const byName = Object.fromEntries([...nodes.keys()].map((name, index) => [name, others[index] ?? null]));
      const expected = javaScript.answer(source, { json: own, nodes: byName, now, zone });
      const bySlug = Object.fromEntries(others.map((one, index) => [`n${index}`, one]));
      const given = valueOf(made.cel, { json: own, nodes: bySlug, now: new Date(now), vars: {}, run: { id: "r" } });
      const equal = sameText(given) === sameText(expected);
      result[kind].total += 1;
      if (equal) result[kind].equal += 1;
      else result.difference ??= { zone, json: own, nodes: byName, expected, given };
    }
  }
  return result;
}

function valueOf(cel: string, variables: Parameters<typeof recordScope>[0]): Json | { problem: string } {
  try {
    return compileExpression(cel).evaluate(recordScope(variables));
  } catch (error) {
    if (error instanceof TemplateProblem) return { problem: error.message };
    throw error;
  }
}

/**
 * As text, without keys whose value is missing: JavaScript leaves them out, here they are null. The narrow blank before AM
 * and PM is one with some versions of JavaScript alone.
 */
function sameText(value: Json | { problem: string }): string {
  const plain = (one: Json): Json => {
    if (Array.isArray(one)) return one.map(plain);
    if (typeof one !== "object" || one === null) return one;
    const kept = Object.entries(one).filter(([, inner]) => inner !== null);
    return Object.fromEntries(kept.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, inner]) => [key, plain(inner)]));
  };
  return JSON.stringify(plain(value as Json)).replaceAll("\u202f", " ");
}
