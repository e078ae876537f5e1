import "../../../engine/config/english-issues.ts";
import { chatDoorConfig, type ChatDoorConfig } from "../../../doors/chat-door.ts";

/** The settings as they are typed: lists one per line, numbers as text. */
export interface ChatDraft extends Omit<ChatDoorConfig, "questions" | "sites" | ChatNumber> {
  questions: string;
  sites: string;
  messageChars: string;
  perMinute: string;
  perDay: string;
  /** Empty: a part of the day's messages. */
  visitorPerDay: string;
  networkPerDay: string;
  visitorMbPerDay: string;
}

type ChatNumber = "messageChars" | "perMinute" | "perDay" | "visitorPerDay" | "networkPerDay" | "visitorMbPerDay";

export function draftOf(config: ChatDoorConfig): ChatDraft {
  const { questions, sites, messageChars, perMinute, perDay, visitorPerDay, networkPerDay, visitorMbPerDay } = config;
  return {
    ...config,
    questions: questions.join("\n"),
    sites: sites.join("\n"),
    messageChars: String(messageChars),
    perMinute: String(perMinute),
    perDay: String(perDay),
    visitorPerDay: String(visitorPerDay ?? ""),
    networkPerDay: String(networkPerDay ?? ""),
    visitorMbPerDay: String(visitorMbPerDay),
  };
}

/** What a draft means, or what is wrong, by field. */
export function readDraft(
  draft: ChatDraft,
): { ok: true; config: ChatDoorConfig } | { ok: false; problems: Partial<Record<keyof ChatDraft, string>> } {
  const lines = (text: string) => text.split("\n").flatMap((line) => (line.trim() === "" ? [] : [line.trim()]));
  const number = (text: string) => (text.trim() === "" ? undefined : Number(text));
  const read = chatDoorConfig.safeParse({
    ...draft,
    questions: lines(draft.questions),
    sites: lines(draft.sites),
    messageChars: number(draft.messageChars),
    perMinute: number(draft.perMinute),
    perDay: number(draft.perDay),
    visitorPerDay: number(draft.visitorPerDay),
    networkPerDay: number(draft.networkPerDay),
    visitorMbPerDay: number(draft.visitorMbPerDay),
  });
  if (read.success) return { ok: true, config: read.data };
  const problems: Partial<Record<keyof ChatDraft, string>> = {};
  for (const { path, message } of read.error.issues) {
    const name = Object.keys(draft).find((key): key is keyof ChatDraft => key === path[0]);
    if (name !== undefined) problems[name] ??= words[name] ?? message;
  }
  return { ok: false, problems };
}

const words: Partial<Record<keyof ChatDraft, string>> = {
  questions: "At most four questions, one per line, of 300 characters each.",
  sites: "One site a line, such as https://www.example.com; at most 20.",
  accent: "Write a colour as #rrggbb, such as #0f766e.",
  messageChars: "Enter a whole number from 1 to 20000.",
  perMinute: "Enter a whole number from 1 to 600.",
  perDay: "Enter a whole number from 1 to 1000000.",
  visitorPerDay: "Enter a whole number from 1 to 1000000, or nothing.",
  networkPerDay: "Enter a whole number from 1 to 1000000, or nothing.",
  visitorMbPerDay: "Enter a whole number from 1 to 10000.",
};
