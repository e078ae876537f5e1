import type { Interactions } from "@google/genai/web";
import { parseJson } from "../../engine/json.ts";
import type { ModelEvent } from "../../engine/model/chat-model.ts";
import { cutError } from "../wire/call-error.ts";
import { translateEvents } from "../wire/translate-events.ts";
import {
  ending,
  gap,
  outputText,
  partsTexts,
  standsApart,
  thoughtText,
  type AnswerStep,
  type InteractionEnd,
  type Said,
} from "./interactions-answer.ts";
import { throwRefusal } from "./map-error.ts";
import { parseLosslessJson } from "../../engine/lossless-json.ts";

/** An answer while it arrives. */
interface Arriving extends InteractionEnd {
  steps: Map<number, AnswerStep>;
  said: Said;
}

/**
 * The events of a streamed interaction as model events; ends with `finish` or `error`. Rejects as the body does, and with a
 * VendorRefusal for an error in it, also for one that the API writes as a bare line instead of an event. `newId` names calls
 * that came without an id.
 */
export function fromInteractionStream(
  response: Response,
  vendor: string,
  newId: () => string,
): AsyncIterableIterator<ModelEvent> {
  const arriving: Arriving = { steps: new Map(), said: { text: "", parted: false } };
  let over = false;
  const close = (): ModelEvent[] => {
    over = true;
    const steps = [...arriving.steps].toSorted(([a], [b]) => a - b).map(([, step]) => step);
    return ending(steps, arriving, vendor, newId);
  };
  return translateEvents(response, {
    take(data) {
      if (over) return [];
      const event = parseLosslessJson(data) as Interactions.InteractionSSEEvent;
      throwRefusal(event, response.headers);
      if (event.event_type !== "interaction.completed") return takeEvent(arriving, event);
      note(arriving, event.interaction);
      return close();
    },
    end(stray) {
      if (over) return [];
      throwRefusal(parseJson(stray), response.headers);
      if (ended.test(arriving.status ?? "")) return close();
      return [{ type: "error", error: cutError(vendor, "the stream ended before the answer did.") }];
    },
  });
}

/** Words of a status that nothing follows. */
const ended = /^(failed|cancelled|incomplete|budget_exceeded|requires_continuation)$/;

/** What is read of an interaction that came in one piece. */
export type WholeInteraction = Pick<Interactions.Interaction, "steps" | "status" | "usage">;

/** A whole interaction as the same events. */
export function fromInteraction(interaction: WholeInteraction, vendor: string, newId: () => string): ModelEvent[] {
  const arriving: Arriving = { steps: new Map(), said: { text: "", parted: false } };
  const steps = interaction.steps ?? [];
  const said = steps.flatMap((step, index) => start(arriving, index, step));
  return [...said, ...ending([...arriving.steps.values()], interaction, vendor, newId)];
}

function takeEvent(arriving: Arriving, event: Interactions.InteractionSSEEvent): ModelEvent[] {
  switch (event.event_type) {
    case "interaction.status_update":
      note(arriving, event);
      return [];
    case "step.start":
      return start(arriving, event.index, event.step);
    case "step.delta": {
      const into = arriving.steps.get(event.index);
      return into ? grow(arriving, into, event.delta) : [];
    }
    default:
      return [];
  }
}

function note(arriving: Arriving, { status, usage }: InteractionEnd): void {
  if (status) arriving.status = status;
  if (usage) arriving.usage = usage;
}

function start(arriving: Arriving, index: number, step: Interactions.Step): ModelEvent[] {
  arriving.steps.set(index, { step });
  if (step.type === "model_output") return say(arriving, outputText(step), true);
  arriving.said.parted ||= partsTexts(step);
  return step.type === "thought" ? think(thoughtText(step)) : [];
}

function say(arriving: Arriving, text: string, first: boolean): ModelEvent[] {
  if (text === "") return [];
  const apart = first && standsApart(arriving.said);
  arriving.said = { text: first ? text : arriving.said.text + text, parted: false };
  return [{ type: "text-delta", text: apart ? gap + text : text }];
}

function think(text: string): ModelEvent[] {
  return text === "" ? [] : [{ type: "reasoning-delta", text }];
}

/** Adds a piece to its step, so that the step becomes what an answer in one piece would have. */
function grow(arriving: Arriving, into: AnswerStep, delta: Interactions.StepDelta["delta"]): ModelEvent[] {
  const { step } = into;
  switch (step.type) {
    case "model_output":
      return growOutput(arriving, step, delta);
    case "thought":
      if (delta.type === "thought_signature") {
        if (delta.signature) step.signature = delta.signature;
        return [];
      }
      if (delta.type !== "thought_summary" || !isSummary(delta.content)) return [];
      (step.summary ??= []).push(delta.content);
      return think(delta.content.type === "text" ? (delta.content.text ?? "") : "");
    case "function_call":
      if (delta.type === "arguments_delta") into.callArguments = (into.callArguments ?? "") + (delta.arguments ?? "");
      return [];
    default: {
      // Google's own tools: a delta holds members of the step, and an empty signature stands for none yet.
      const { type: _type, ...members } = delta;
      const told = Object.entries(members).filter(([name, value]) => name !== "signature" || value !== "");
      Object.assign(step, Object.fromEntries(told));
      return [];
    }
  }
}

function growOutput(
  arriving: Arriving,
  step: Interactions.ModelOutputStep,
  delta: Interactions.StepDelta["delta"],
): ModelEvent[] {
  const content = (step.content ??= []);
  const last = content.at(-1);
  switch (delta.type) {
    case "text": {
      const first = outputText(step) === "";
      if (last?.type === "text") last.text += delta.text;
      else content.push({ type: "text", text: delta.text });
      return say(arriving, delta.text, first);
    }
    case "text_annotation_delta":
      if (last?.type === "text") (last.annotations ??= []).push(...(delta.annotations ?? []));
      return [];
    case "image":
      // A long picture comes in pieces of its base64, which ends where it is padded.
      if (last?.type === "image" && !last.data?.endsWith("=")) last.data = (last.data ?? "") + (delta.data ?? "");
      else content.push({ type: "image", mime_type: delta.mime_type, data: delta.data });
      return [];
    case "audio":
    case "video":
    case "document":
      if (last?.type !== delta.type) content.push({ type: delta.type });
      return [];
    default:
      return [];
  }
}

function isSummary(
  content: Interactions.Content | undefined,
): content is NonNullable<Interactions.ThoughtStep["summary"]>[number] {
  return content?.type === "text" || content?.type === "image";
}
