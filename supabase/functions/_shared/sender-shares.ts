import { z } from "zod/mini";
import { type DoorLimits, inputSize } from "../../../src/doors/door-limits.ts";
import type { Json } from "../../../src/engine/json.ts";
import { loopbackFactor } from "./caller-address.ts";
import { sha256 } from "./door.ts";
import { DoorProblem, type Problem } from "./door-problem.ts";

/** Who sends, and what such a one may send in a day. */
export interface SenderShare {
  kind: "key" | "network" | "visitor";
  name: string;
  messages: number;
  bytes: number;
}

/** Why the database started no run. */
export const startRefusal = z.object({
  problem: z.string(),
  retryAfter: z.optional(z.number()),
  sender: z.optional(z.enum(["key", "network", "visitor"])),
  unit: z.optional(z.enum(["messages", "bytes"])),
});
export type StartRefusal = z.infer<typeof startRefusal>;

/** A sender as the database counts it. Names of visitors and networks are kept as hashes. */
export async function shareOf(
  { kind, name }: Pick<SenderShare, "kind" | "name">,
  share: { messages: number; bytes: number },
): Promise<SenderShare> {
  const factor = kind === "network" && name === "loopback" ? loopbackFactor : 1;
  return {
    kind,
    name: kind === "key" ? name : await sha256(`${kind} ${name}`),
    messages: share.messages * factor,
    bytes: share.bytes * factor,
  };
}

/** The bytes of a run's input, with its attached files. Throws DoorProblem, 413, where it is too large without them. */
export function checkedSize(input: Json, limits: Pick<DoorLimits, "inputBytes">): number {
  const { total, withoutFiles } = inputSize(input);
  if (withoutFiles > limits.inputBytes) throw new DoorProblem(tooLarge(limits));
  return total;
}

/** An input that is larger than the publication takes. */
export function tooLarge({ inputBytes }: Pick<DoorLimits, "inputBytes">): Problem {
  const megabytes = Number((inputBytes / 1024 / 1024).toFixed(2));
  return {
    status: 413,
    code: "too_large",
    title: "Input too large",
    detail: `This workflow takes ${megabytes} MB of input, not counting attached pictures and files. Send less, or ask its owner for more.`,
  };
}

const senders = { key: "This API key", network: "Your network", visitor: "You" } as const;

/** A sender has used up its share of the day. */
export function shareProblem({ sender = "network", unit, retryAfter }: StartRefusal): Problem {
  const verb = sender === "visitor" ? "have" : "has";
  const what = unit === "bytes" ? "as much data" : "as many messages";
  return {
    status: 429,
    code: "daily_share",
    title: "Daily share used up",
    detail: `${senders[sender]} ${verb} sent ${what} as one sender may in a day. The next day begins at midnight UTC.`,
    retryAfter,
  };
}
