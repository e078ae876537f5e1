import type { JsonObject } from "../../engine/json.ts";
import { isJsonObject } from "../../engine/json.ts";
import { parsed, schemaOf } from "./tool-parameters.ts";
import type { NodeWork } from "./node-work.ts";

/** The JSON Schema that an output parser demands, or null for any JSON. */
export function parserSchema(work: NodeWork): JsonObject | null {
  if (work.node.type === "outputParserItemList")
    return { type: "object", properties: { items: { type: "array", items: { type: "string" } } }, required: ["items"] };
  const manual = parsed(work.at("inputSchema")) ?? parsed(work.at("jsonSchema"));
  const example = parsed(work.at("jsonSchemaExample"));
  const wantsExample =
    work.choice("schemaType", ["manual", "fromJson"], example === undefined ? "manual" : "fromJson") === "fromJson";
  if (wantsExample && example !== undefined) return schemaOf(example);
  if (isJsonObject(manual)) return manual;
  return example === undefined ? null : schemaOf(example);
}
