import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { z } from "zod/mini";
import type { FormAnswer } from "../../../engine/tool/tool.ts";
import { stripHidden } from "./hidden-text.ts";
import { visibleSchema } from "./tool-pin.ts";
import type { CallsUnderWay } from "./calls-under-way.ts";

/** Of the forms of `elicitation/create`: a question and a flat object's schema. Addresses to open are not offered. */
const askedForm = z.looseObject({
  message: z.string(),
  requestedSchema: z.looseObject({ type: z.literal("object"), properties: z.record(z.string(), z.json()) }),
});

/** Values as the protocol takes them. */
const content = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]));

type ElicitResult = { action: "accept"; content: z.infer<typeof content> } | { action: "decline" | "cancel" };

/** What a client is asked to ask, and the call on whose stream that came. */
interface Question {
  params: unknown;
  call: string | undefined;
}

/**
 * Asks a person what a server wants to know during a call. Outside of calls, and what is no form, is declined; cancelled where
 * nothing says which of several calls asks.
 */
export async function elicit(
  { params, call: name }: Question,
  calls: CallsUnderWay,
  signal: AbortSignal,
): Promise<ElicitResult> {
  const parsed = askedForm.safeParse(params);
  if (!parsed.success || !calls.isAny) return { action: "decline" };
  const call = await calls.ownerOf(name, signal);
  if (call === undefined) return { action: "cancel" };
  const { message, requestedSchema } = parsed.data;
  const form = {
    message: stripHidden(message),
    schema: visibleSchema(z.record(z.string(), z.json()).parse(requestedSchema)),
  };
  const key = bytesToHex(sha256(utf8ToBytes(JSON.stringify(form)))).slice(0, 16);
  return resultOf(await call.pausedWhile(() => call.ask(form, { key, signal })));
}

function resultOf(answer: FormAnswer): ElicitResult {
  if (answer.action !== "accept") return answer;
  const parsed = content.safeParse(answer.content);
  return parsed.success ? { action: "accept", content: parsed.data } : { action: "cancel" };
}
