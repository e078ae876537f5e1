import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { canonicalJson } from "../canonical-json.ts";
import type { Tool } from "../tool/tool.ts";

/** What a tool says of itself. */
export type DescribedTool = Pick<Tool, "name" | "description" | "parameters">;

/** The SHA-256 in hex of what a tool says of itself: what a person decided about it ends once that changes. */
export function definitionHash({ name, description, parameters }: DescribedTool): string {
  return bytesToHex(sha256(utf8ToBytes(canonicalJson([name, description, parameters]))));
}
