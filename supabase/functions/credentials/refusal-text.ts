import { z } from "zod/mini";
import { parseJson } from "../_shared/json-scan.ts";

const longest = 300;

const said = z.object({ message: z.string() });
/** The places in which vendors and compatible servers say why: `error.message`, `error`, `message`, `detail`. */
const shapes = z.union([
  z.pipe(
    z.object({ error: said }),
    z.transform(({ error }) => error.message),
  ),
  z.pipe(
    z.object({ error: z.string() }),
    z.transform(({ error }) => error),
  ),
  z.pipe(
    said,
    z.transform(({ message }) => message),
  ),
  z.pipe(
    z.object({ detail: z.string() }),
    z.transform(({ detail }) => detail),
  ),
]);
const refusal = z.union([
  shapes,
  z.pipe(
    z.tuple([shapes], z.unknown()),
    z.transform(([first]) => first),
  ),
]);

/** What a service says in the body of its refusal, at most 300 characters in one line; empty when it says nothing readable. */
export function refusalText(body: string): string {
  let json: unknown;
  try {
    json = parseJson(body);
  } catch {
    return "";
  }
  const words = z.catch(refusal, "").parse(json).replace(/\s+/g, " ").trim();
  return words.length > longest ? `${words.slice(0, longest)}…` : words;
}
