import { z } from "zod";
import { parseJson } from "../_shared/json-scan.ts";

const longest = 300;

const said = z.object({ message: z.string() });
/** The places in which vendors and compatible servers say why: `error.message`, `error`, `message`, `detail`. */
const shapes = z.union([
  z.object({ error: said }).transform(({ error }) => error.message),
  z.object({ error: z.string() }).transform(({ error }) => error),
  said.transform(({ message }) => message),
  z.object({ detail: z.string() }).transform(({ detail }) => detail),
]);
const refusal = z.union([shapes, z.tuple([shapes], z.unknown()).transform(([first]) => first)]);

/** What a service says in the body of its refusal, at most 300 characters in one line; empty when it says nothing readable. */
export function refusalText(body: string): string {
  let json: unknown;
  try {
    json = parseJson(body);
  } catch {
    return "";
  }
  const words = refusal.catch("").parse(json).replace(/\s+/g, " ").trim();
  return words.length > longest ? `${words.slice(0, longest)}…` : words;
}
