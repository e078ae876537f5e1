import type { Json, JsonObject } from "../../engine/json.ts";
import { type Program, resolved } from "./program.ts";
import { bare, child, children, elementsOf, nameOf, plainOf, propertiesOf, type Syntax, textOf } from "./syntax.ts";

const forbidden = new Set(["__proto__", "constructor", "prototype"]);

/** A JSON value as it is written in code; undefined where a part of it is worked out. */
export function jsonOf(program: Program, given: Syntax | undefined, depth = 0): Json | undefined {
  const node = resolved(program, given);
  const plain = plainOf(node);
  if (plain !== undefined) return plain;
  if (depth > 40 || !node) return undefined;
  if (node.type === "ArrayExpression") {
    return elementsOf(node).flatMap((one) => {
      const value = jsonOf(program, one, depth + 1);
      return value === undefined ? [] : [value];
    });
  }
  if (node.type !== "ObjectExpression") return undefined;
  const entries = [...propertiesOf(node)].flatMap(([name, value]): [string, Json][] => {
    const inner = jsonOf(program, value, depth + 1);
    return inner === undefined || forbidden.has(name) ? [] : [[name, inner]];
  });
  return Object.fromEntries(entries);
}

interface Link {
  name: string;
  args: Syntax[];
}

/** The calls of `z.object({ … }).strict().optional()` in a row. */
function linksOf(program: Program, given: Syntax | undefined): Link[] {
  const links: Link[] = [];
  let node = resolved(program, given);
  for (let depth = 0; node && depth < 60; depth += 1) {
    if (node.type !== "CallExpression") break;
    const callee = bare(child(node, "callee"));
    if (callee?.type !== "MemberExpression") break;
    links.unshift({ name: nameOf(child(callee, "property")), args: children(node, "arguments") });
    node = resolved(program, child(callee, "object"));
  }
  return links;
}

const optional = new Set(["optional", "nullish", "default", "catch"]);

/** The JSON Schema of a zod schema, or of one that is written as such; undefined for anything else. */
export function schemaOf(program: Program, given: Syntax | undefined, depth = 0): JsonObject | undefined {
  if (depth > 20) return {};
  const node = resolved(program, given);
  if (node?.type === "ObjectExpression") {
    const fields = propertiesOf(node);
    const value = jsonOf(program, fields.get("schema") ?? node);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  }
  const links = linksOf(program, node);
  const [first, ...more] = links;
  if (!first) return undefined;
  let schema = base(program, first, depth);
  if (!schema) return undefined;
  for (const link of more) schema = refined(program, schema, link);
  return schema;
}

function base(program: Program, { name, args }: Link, depth: number): JsonObject | undefined {
  const inner = (node: Syntax | undefined): JsonObject => schemaOf(program, node, depth + 1) ?? {};
  switch (name) {
    case "object":
    case "strictObject":
    case "looseObject":
      return objectSchema(program, args[0], depth);
    case "string":
    case "email":
    case "url":
    case "uuid":
      return { type: "string" };
    case "number":
      return { type: "number" };
    case "int":
      return { type: "integer" };
    case "boolean":
      return { type: "boolean" };
    case "null":
      return { type: "null" };
    case "array":
      return { type: "array", items: inner(args[0]) };
    case "tuple":
      return { type: "array" };
    case "record":
      return { type: "object", additionalProperties: inner(args[1] ?? args[0]) };
    case "enum":
      return { type: "string", enum: listOf(jsonOf(program, args[0])) };
    case "literal": {
      const value = jsonOf(program, args[0]);
      return value === undefined ? {} : { const: value };
    }
    case "union":
      return { anyOf: elementsOf(resolved(program, args[0])).map(inner) };
    case "discriminatedUnion":
      return { anyOf: elementsOf(resolved(program, args[1])).map(inner) };
    case "any":
    case "unknown":
    case "date":
    case "lazy":
      return {};
    default:
      return undefined;
  }
}

const listOf = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : []);

function objectSchema(program: Program, given: Syntax | undefined, depth: number): JsonObject {
  const fields = [...propertiesOf(resolved(program, given))].filter(([name]) => !forbidden.has(name));
  const properties = fields.map(([name, node]): [string, JsonObject] => [
    name,
    schemaOf(program, node, depth + 1) ?? {},
  ]);
  const required = fields.filter(([, node]) => !linksOf(program, node).some(({ name }) => optional.has(name)));
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    required: required.map(([name]) => name),
    additionalProperties: false,
  };
}

function refined(program: Program, schema: JsonObject, { name, args }: Link): JsonObject {
  const value = jsonOf(program, args[0]);
  const isNumber = schema.type === "number" || schema.type === "integer";
  switch (name) {
    case "describe":
      return textOf(args[0]) === undefined ? schema : { ...schema, description: textOf(args[0]) ?? "" };
    case "nullable":
    case "nullish":
      return typeof schema.type === "string" ? { ...schema, type: [schema.type, "null"] } : schema;
    case "default":
      return value === undefined ? schema : { ...schema, default: value };
    case "int":
      return { ...schema, type: "integer" };
    case "array":
      return { type: "array", items: schema };
    case "min":
    case "max": {
      if (typeof value !== "number") return schema;
      const key = isNumber ? `${name}imum` : schema.type === "array" ? `${name}Items` : `${name}Length`;
      return { ...schema, [key]: value };
    }
    default:
      return schema;
  }
}
