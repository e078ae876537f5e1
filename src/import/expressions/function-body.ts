import type { ArrowFunctionExpression, Expression, FunctionExpression, Pattern, Statement, SwitchCase } from "acorn";
import { member, path } from "./members.ts";
import { equality } from "./operators.ts";
import { asArgument, asTruth, asValue, either, NoExpression, type Piece, piece } from "./piece.ts";
import { type Locals, type Translation, wordsOf } from "./translation.ts";

/** What a function gives: its expression, or a block of declarations, ifs and a return. */
export function bodyOf(
  translation: Translation,
  fn: ArrowFunctionExpression | FunctionExpression,
  locals: Locals,
): Piece {
  if (fn.body.type !== "BlockStatement") return translation.expression(fn.body, locals);
  return block(translation, fn.body.body, new Map(locals));
}

function block(translation: Translation, statements: readonly Statement[], locals: Map<string, Piece>): Piece {
  const [statement, ...rest] = statements;
  if (!statement) return piece("null", "null");
  switch (statement.type) {
    case "EmptyStatement":
      return block(translation, rest, locals);
    case "VariableDeclaration":
      for (const { id, init } of statement.declarations) {
        if (!init) throw new NoExpression("a variable that changes");
        bind(translation, id, translation.expression(init, locals), locals);
      }
      return block(translation, rest, locals);
    case "ReturnStatement":
      return statement.argument ? translation.expression(statement.argument, locals) : piece("null", "null");
    case "IfStatement": {
      const yes = blockOf(statement.consequent);
      const other = statement.alternate ? blockOf(statement.alternate) : [];
      const no = ends(other) ? other : [...other, ...rest];
      if (!ends(yes)) throw new NoExpression("a variable that changes");
      const test = asTruth(translation.expression(statement.test, locals));
      return either(test, block(translation, yes, new Map(locals)), block(translation, no, new Map(locals)));
    }
    case "SwitchStatement": {
      const value = translation.expression(statement.discriminant, locals);
      const { cases, otherwise } = casesOf(statement.cases);
      return chosen(translation, value, cases, otherwise ?? rest, locals);
    }
    case "TryStatement": {
      const handler = statement.handler?.body.body;
      if (!handler || statement.finalizer || !ends(statement.block.body) || !ends(handler)) break;
      const tried = block(translation, statement.block.body, new Map(locals));
      return piece(
        "dyn",
        `coalesce(maybe(${asValue(tried)}), ${asValue(block(translation, handler, new Map(locals)))})`,
      );
    }
    default:
  }
  throw new NoExpression(wordsOf(statement.type));
}

/** The cases of a switch, each of which returns. */
function chosen(
  translation: Translation,
  value: Piece,
  cases: readonly { tests: readonly Expression[]; body: readonly Statement[] }[],
  otherwise: readonly Statement[],
  locals: Map<string, Piece>,
): Piece {
  const [one, ...more] = cases;
  if (!one) return block(translation, otherwise, new Map(locals));
  const test = one.tests.map((test) => equality("===", value, translation.expression(test, locals))).join(" || ");
  const yes = block(translation, one.body, new Map(locals));
  return either(`(${test})`, yes, chosen(translation, value, more, otherwise, locals));
}

export function bind(translation: Translation, pattern: Pattern, value: Piece, locals: Map<string, Piece>): void {
  switch (pattern.type) {
    case "Identifier":
      locals.set(pattern.name, value);
      return;
    case "ObjectPattern":
      for (const property of pattern.properties) {
        if (property.type === "RestElement" || property.computed || property.key.type !== "Identifier") break;
        bind(translation, property.value, member(value, property.key.name, false, translation.options.names), locals);
      }
      if (pattern.properties.every((one) => one.type === "Property" && !one.computed && one.key.type === "Identifier"))
        return;
      break;
    case "ArrayPattern":
      for (const [index, element] of pattern.elements.entries()) {
        if (element) bind(translation, element, path(value, index, false), locals);
      }
      return;
    case "AssignmentPattern": {
      const inner = translation.expression(pattern.right, locals);
      return bind(
        translation,
        pattern.left,
        piece("dyn", `(isNothing(${asArgument(value)}) ? ${free(inner)} : ${free(value)})`),
        locals,
      );
    }
    default:
  }
  throw new NoExpression("such parameters");
}

function free(one: Piece): string {
  return one.kind === "dyn" || one.kind === "opt" ? asValue(one) : `dyn(${asValue(one)})`;
}

/** The cases of a switch in which every one returns, with what stands for all others. */
function casesOf(written: readonly SwitchCase[]): {
  cases: { tests: Expression[]; body: readonly Statement[] }[];
  otherwise: readonly Statement[] | undefined;
} {
  const cases: { tests: Expression[]; body: readonly Statement[] }[] = [];
  let tests: Expression[] = [];
  let otherwise: readonly Statement[] | undefined;
  for (const [index, { test, consequent }] of written.entries()) {
    if (test) tests.push(test);
    if (consequent.length === 0 && test) continue;
    const isLast = index === written.length - 1;
    if (!ends(consequent) || (!test && (!isLast || tests.length > 0))) throw new NoExpression("this switch");
    if (test) cases.push({ tests, body: consequent });
    else otherwise = consequent;
    tests = [];
  }
  return { cases, otherwise };
}

function blockOf(statement: Statement): readonly Statement[] {
  return statement.type === "BlockStatement" ? statement.body : [statement];
}

/** Whether a block certainly returns. */
function ends(statements: readonly Statement[]): boolean {
  const last = statements.at(-1);
  if (!last) return false;
  if (last.type === "ReturnStatement") return true;
  return (
    last.type === "IfStatement" &&
    ends(blockOf(last.consequent)) &&
    last.alternate !== undefined &&
    last.alternate !== null &&
    ends(blockOf(last.alternate))
  );
}

export function returned(statements: readonly Statement[]): Expression | undefined {
  const [only] = statements;
  return statements.length === 1 && only?.type === "ReturnStatement" ? (only.argument ?? undefined) : undefined;
}
