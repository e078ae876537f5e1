import { isJsonObject, type Json, type JsonObject } from "../json.ts";
import {
  assistantMessage,
  type AssistantMessage,
  holdsUntrusted,
  messageText,
  type Message,
} from "../model/message.ts";
import { scratchpadTools } from "../agent/agent-settings.ts";
import type { Tool, ToolResult } from "../tool/tool.ts";
import { sideSession } from "./memory.ts";

const maxKeys = 100;
const maxKeyChars = 100;
const maxValueChars = 4_000;

/** How much a scratchpad holds: notes, and characters of a key and of a note. */
export const scratchpadLimits = { notes: maxKeys, keyChars: maxKeyChars, noteChars: maxValueChars };

/** A key–value store of the model's own, kept with the session. */
export interface Scratchpad {
  tools: Tool[];
  /** What to store, or undefined when nothing was changed. `untrusted`: the agent has read untrusted content. */
  changes(untrusted: boolean): AssistantMessage | undefined;
}

/** Where a session's scratchpad is stored, in the same memory. */
export function scratchpadSession(session: string): string {
  return sideSession(session, "scratchpad");
}

/** A session's notes by key, in the order in which they were first made; `stored` is what its scratchpad session holds. */
export function readScratchpad(stored: readonly Message[]): Map<string, string> {
  const last = stored.at(-1);
  const entries = new Map<string, string>();
  if (!last) return entries;
  try {
    const value: Json = JSON.parse(messageText(last));
    if (isJsonObject(value))
      for (const [key, text] of Object.entries(value)) if (typeof text === "string") entries.set(key, text);
  } catch {
    // A message edited by hand into something else counts as an empty scratchpad.
  }
  return entries;
}

/** Notes as they are stored: one message that holds all of them, marked where any of them may hold untrusted content. */
export function writeScratchpad(notes: ReadonlyMap<string, string>, untrusted: boolean): AssistantMessage {
  const message = assistantMessage(JSON.stringify(Object.fromEntries(notes)));
  return untrusted ? { ...message, untrusted } : message;
}

function parameters(properties: JsonObject, required: string[]): JsonObject {
  return { type: "object", properties, required, additionalProperties: false };
}

const keyParameter = { type: "string", minLength: 1, maxLength: maxKeyChars, description: "The name of the note." };

function done(output: Json): Promise<ToolResult> {
  return Promise.resolve({ ok: true, output });
}

function failed(message: string): Promise<ToolResult> {
  return Promise.resolve({ ok: false, error: { message } });
}

/** Opens a scratchpad on what its session holds. */
export function openScratchpad(stored: readonly Message[]): Scratchpad {
  const entries = readScratchpad(stored);
  let changed = false;
  const keys = () => (entries.size === 0 ? "It is empty." : `It holds: ${[...entries.keys()].join(", ")}.`);

  const remember: Tool = {
    name: scratchpadTools.remember,
    keepsState: true,
    description: "Keeps a note under a key for later turns of this conversation. An existing note is replaced.",
    parameters: parameters(
      { key: keyParameter, value: { type: "string", maxLength: maxValueChars, description: "The note." } },
      ["key", "value"],
    ),
    execute(input) {
      const key = String(input["key"]);
      if (!entries.has(key) && entries.size >= maxKeys)
        return failed(`The scratchpad is full (${maxKeys} notes). Forget one first.`);
      entries.set(key, String(input["value"]));
      changed = true;
      return done({ remembered: key });
    },
  };
  const recall: Tool = {
    name: scratchpadTools.recall,
    description: "Reads the note under a key; without a key, all notes.",
    parameters: parameters({ key: keyParameter }, []),
    execute(input) {
      if (input["key"] === undefined) return done(Object.fromEntries(entries));
      const value = entries.get(String(input["key"]));
      return value === undefined ? failed(`There is no note "${String(input["key"])}". ${keys()}`) : done(value);
    },
  };
  const forget: Tool = {
    name: scratchpadTools.forget,
    keepsState: true,
    description: "Deletes the note under a key.",
    parameters: parameters({ key: keyParameter }, ["key"]),
    execute(input) {
      const key = String(input["key"]);
      if (!entries.delete(key)) return failed(`There is no note "${key}". ${keys()}`);
      changed = true;
      return done({ forgotten: key });
    },
  };
  return {
    tools: [remember, recall, forget],
    changes: (untrusted) => (changed ? writeScratchpad(entries, untrusted || holdsUntrusted(stored)) : undefined),
  };
}
