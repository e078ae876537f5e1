import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { root } from "../testing/root.mjs";

/** Where faults are planted: the product, each folder as often as any other. */
const parents = ["src", "supabase", "."];
const alone = new Set(["worker", "cli"]);

const { SyntaxKind } = ts;

const operators = new Map([
  [SyntaxKind.EqualsEqualsEqualsToken, "!=="],
  [SyntaxKind.ExclamationEqualsEqualsToken, "==="],
  [SyntaxKind.LessThanToken, ">="],
  [SyntaxKind.LessThanEqualsToken, ">"],
  [SyntaxKind.GreaterThanToken, "<="],
  [SyntaxKind.GreaterThanEqualsToken, "<"],
  [SyntaxKind.AmpersandAmpersandToken, "||"],
  [SyntaxKind.BarBarToken, "&&"],
  [SyntaxKind.PlusToken, "-"],
  [SyntaxKind.MinusToken, "+"],
]);

/** @typedef {{ file: string, line: number, start: number, end: number, before: string, after: string }} Fault */

/** `count` faults, the same for the same seed and sources. @returns {Fault[]} */
export function plannedFaults(count, seed) {
  const random = randomNumbers(seed);
  const pick = (list) => list[Math.floor(random() * list.length)];
  const folders = parents
    .flatMap(foldersBelow)
    .map(filesOf)
    .filter((files) => files.length > 0);
  const faults = [];
  for (let round = 0; faults.length < count && round < count * 20; round += 1) {
    const file = pick(folders[round % folders.length]);
    const fault = pick(faultsIn(file, readFileSync(join(root, file), "utf8")));
    if (fault && !faults.some((other) => other.file === file && other.start === fault.start)) faults.push(fault);
  }
  return faults;
}

/** The text with the fault in it. */
export function withFault(text, { start, end, after }) {
  return text.slice(0, start) + after + text.slice(end);
}

/** Everything in a source that could be the other way round. @returns {Fault[]} */
export function faultsIn(file, text) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const faults = [];
  const add = (node, after) => {
    const start = node.getStart(source);
    const line = source.getLineAndCharacterOfPosition(start).line + 1;
    faults.push({ file, line, start, end: node.getEnd(), before: node.getText(source), after });
  };
  const visit = (node) => {
    if (ts.isTypeNode(node)) return;
    if (ts.isBinaryExpression(node)) {
      const other = operators.get(node.operatorToken.kind);
      if (other !== undefined) add(node.operatorToken, other);
    }
    if (node.kind === SyntaxKind.TrueKeyword) add(node, "false");
    if (node.kind === SyntaxKind.FalseKeyword) add(node, "true");
    if (ts.isPrefixUnaryExpression(node) && node.operator === SyntaxKind.ExclamationToken)
      add(node, `(${node.operand.getText(source)})`);
    if (ts.isConditionalExpression(node)) add(node.condition, `!(${node.condition.getText(source)})`);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return faults;
}

function foldersBelow(parent) {
  return readdirSync(join(root, parent), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && (parent !== "." || alone.has(entry.name)))
    .map((entry) => (parent === "." ? entry.name : `${parent}/${entry.name}`))
    .toSorted();
}

function filesOf(folder) {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
    .filter((name) => /\.(tsx?|mjs)$/.test(name) && !/\.(test|d)\.tsx?$|\/testing\/|\/recordings\//.test(name))
    .toSorted();
}

/** Numbers from 0 to 1 that are the same for the same seed (mulberry32). */
function randomNumbers(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296;
  };
}
