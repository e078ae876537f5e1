import { type Program, sliceOf } from "./program.ts";
import {
  bare,
  child,
  children,
  elementsOf,
  nameOf,
  pathOf,
  propertiesOf,
  type Syntax,
  textOf,
  walk,
} from "./syntax.ts";

const stateful = /^(state|context|ctx)$/;

/** Stands for no code. */
export const nothing: Syntax = { type: "Literal", start: 0, end: 0, value: null };

/** `x++` as `x += 1`. */
export function asAssignment(node: Syntax): Syntax {
  const operator = `${String(node.operator).slice(0, 1)}=`;
  const one: Syntax = { type: "Literal", start: 0, end: 0, value: 1, raw: "1" };
  return { ...node, type: "AssignmentExpression", operator, left: child(node, "argument"), right: one };
}

/** What a condition asks about: names, and keys of the state. */
export function keysIn(test: Syntax): Set<string> {
  const found = new Set<string>();
  walk(test, (node) => {
    const path = pathOf(node);
    if (path.length === 0) return true;
    const [first = "", second] = path;
    if (second === undefined) found.add(first);
    else found.add(stateful.test(first) ? second : first);
    return false;
  });
  return found;
}

/** Whether a loop's body ends more than its turn. */
export function leaves(body: Syntax): boolean {
  let found = false;
  walk(body, (node) => {
    if (/Function/.test(node.type)) return false;
    if (/^(Return|Break|Continue)Statement$/.test(node.type)) found = true;
    return !found;
  });
  return found;
}

/** The last name of what is called, with a point before it, whatever stands before. */
export function memberOf(call: Syntax): string {
  const callee = bare(child(call, "callee"));
  return callee?.type === "MemberExpression" ? `.${nameOf(child(callee, "property"))}` : "";
}

/** Whether a call does what its function says at once; one that listens for events does not. */
export const isCallback = (call: Syntax | undefined) =>
  call?.type === "CallExpression" && /\.(?:map|forEach|filter|reduce|flatMap|then|catch|finally)$/.test(memberOf(call));

/** Whether a statement leaves the switch or loop around it. */
export function breaks(statement: Syntax): boolean {
  let found = false;
  walk(statement, (node) => {
    if (/Function|^For|^While|^Do|^Switch/.test(node.type)) return false;
    if (node.type === "BreakStatement") found = true;
    return !found;
  });
  return found;
}

/** Whether a list is a conversation so far. */
export function isHistory(node: Syntax): boolean {
  return elementsOf(node).some((one) => {
    const role = textOf(propertiesOf(one).get("role"));
    return role === "user" || role === "assistant";
  });
}

/** What a step that asks for a condition is called. */
export function conditionName(program: Program, test: Syntax): string {
  const text = sliceOf(program, test).replace(/\s+/g, " ");
  const [, word] = /===?\s*["'`]([^"'`]{1,40})/.exec(text) ?? [];
  return word === undefined ? "If" : `If ${word}`;
}

/**
 * A switch as conditions one after the other; undefined for one whose cases run into each other, nothing for one without
 * statements.
 */
export function asConditions(node: Syntax): { first: Syntax | undefined } | undefined {
  const cases = children(node, "cases");
  const value = child(node, "discriminant");
  const made: { test: Syntax | undefined; body: Syntax }[] = [];
  let above: Syntax | undefined;
  for (const [index, one] of cases.entries()) {
    const body = children(one, "consequent").flatMap((inner) =>
      inner.type === "BlockStatement" ? children(inner, "body") : [inner],
    );
    const right = child(one, "test");
    const equal: Syntax | undefined = right &&
      value && { ...right, type: "BinaryExpression", operator: "===", left: value, right };
    const test: Syntax | undefined =
      above && equal ? { ...equal, type: "LogicalExpression", operator: "||", left: above, right: equal } : equal;
    above = body.length === 0 ? test : undefined;
    if (body.length === 0 && test && index < cases.length - 1) continue;
    const last = body.at(-1)?.type ?? "";
    const ends = /^(?:Break|Return|Throw)Statement$/.test(last) || index === cases.length - 1;
    const plain = last === "BreakStatement" ? body.slice(0, -1) : body;
    if (!ends || plain.some(breaks) || (!test && index < cases.length - 1)) return undefined;
    made.push({ test, body: { type: "BlockStatement", start: one.start, end: one.end, body: plain } });
  }
  const first = made.reduceRight<Syntax | undefined>(
    (alternate, { test, body }) =>
      test ? { ...body, type: "IfStatement", test, consequent: body, ...(alternate ? { alternate } : {}) } : body,
    undefined,
  );
  return { first };
}
