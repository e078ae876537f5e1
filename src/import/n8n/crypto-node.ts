import type { Made } from "./made.ts";
import type { NodeWork } from "./node-work.ts";

/** Random values by code. What is hashed or signed stays open: the sandbox has no hashes. */
export function cryptoNode(work: NodeWork): Made {
  const action = work.word("action", "hash");
  if (action !== "generate")
    return { outcome: "placeholder", note: "Nothing here hashes, signs or encrypts. Call a service that does." };
  const kind = work.choice("encodingType", ["uuid", "hex", "base64", "ascii"], "uuid");
  if (kind === "ascii") return { outcome: "placeholder", note: "Random bytes are not given as ASCII text here." };
  const length = work.number("stringLength") ?? 32;
  const bytes = "crypto.getRandomValues(new Uint8Array(length))";
  const values = {
    uuid: "crypto.randomUUID()",
    hex: `Array.from(${bytes}, (byte) => byte.toString(16).padStart(2, "0")).join("").slice(0, length)`,
    base64: `btoa(String.fromCharCode(...${bytes})).replace(/\\W/g, "").slice(0, length)`,
  };
  const inputs = {
    key: work.textOf(work.at("dataPropertyName") ?? "data") || "data",
    ...(kind === "uuid" ? {} : { length: Math.min(4_096, Math.max(1, Math.round(length))) }),
  };
  if (kind === "uuid") work.drop("stringLength", "A UUID has its own length.");
  return { type: "code", config: { code: `return { ...json, [key]: ${values[kind]} };`, inputs } };
}
