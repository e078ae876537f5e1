import { Rejection } from "./rejection.ts";

/** A node of the parser's tree: an object with one key, the node's kind, and its fields. */
export type SyntaxNode = Readonly<Record<string, unknown>>;

/** The fields of a node, unchecked. */
export type Fields = Readonly<Record<string, unknown>>;

/** Deeper trees are refused before they can end the stack. */
export const maxTreeDepth = 400;

/** Whether it is an object, as every node is. */
export function isSyntaxNode(value: unknown): value is SyntaxNode {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The kind and the fields of a node. */
export function openNode(node: unknown): { kind: string; fields: Fields } {
  const [entry, ...more] = isSyntaxNode(node) ? Object.entries(node) : [];
  if (entry === undefined || more.length > 0) throw notAllowed("This part of the SQL");
  const [kind, fields] = entry;
  return { kind, fields: isSyntaxNode(fields) ? fields : {} };
}

/** Refuses a node with any field that is not named here, so that what the grammar learns later is refused too. */
export function onlyFields(what: string, fields: Fields, names: readonly string[]): void {
  const extra = Object.keys(fields).find((name) => name !== "location" && !names.includes(name));
  if (extra !== undefined) throw notAllowed(what);
}

/** A field that holds a list; absent counts as empty. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The strings of a list of names; undefined when it holds anything else. */
export function namesOf(value: unknown): string[] | undefined {
  const names = listOf(value).map((item) => stringOf(item));
  return names.every((name) => name !== undefined) ? names : undefined;
}

/** The text of a `String` node; undefined for any other. */
export function stringOf(node: unknown): string | undefined {
  if (!isSyntaxNode(node)) return undefined;
  const inner = node["String"];
  const text = isSyntaxNode(inner) ? (inner["sval"] ?? "") : undefined;
  return typeof text === "string" ? text : undefined;
}

/** Refuses a part of a condition or a statement that is on no list. */
export function notAllowed(what: string): Rejection {
  return new Rejection(
    `${what} is not allowed here.`,
    "Use plain comparisons of columns and values, joined with AND, OR and NOT.",
  );
}
