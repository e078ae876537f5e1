import { z } from "zod/mini";
import { frameMessages } from "../doors/chat-frame.ts";
import type { ChatSession } from "./chat-session.ts";

const sendMessage = z.object({
  type: z.literal(frameMessages.send),
  text: z.string().check(z.trim(), z.minLength(1), z.maxLength(100_000)),
});

const mostWaiting = 20;

/**
 * Takes messages that the page around the frame sends for the visitor, and tells it when an answer has ended and when Escape was
 * pressed. A message that comes while the chat is opening or answering waits for its turn.
 */
export function talkToParent(view: Window, session: ChatSession): void {
  const { parent } = view;
  if (parent === view) return;
  const waiting: { text: string; origin: string }[] = [];
  const told = new Set<string>();
  const next = () => {
    const { info } = session.store.getState();
    const [first] = waiting;
    if (first === undefined || info === null) return;
    if (!info.sites.includes(first.origin) || session.send(first.text)) waiting.shift();
  };
  view.addEventListener("message", ({ source, origin, data }: MessageEvent<unknown>) => {
    const message = sendMessage.safeParse(data);
    if (source !== parent || !message.success || waiting.length >= mostWaiting) return;
    waiting.push({ text: message.data.text, origin });
    next();
  });
  view.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !event.defaultPrevented) parent.postMessage({ type: frameMessages.close }, "*");
  });
  session.store.subscribe(({ turns }, before) => {
    for (const { key, status } of turns) {
      const was = before.turns.find((turn) => turn.key === key)?.status;
      if (was !== "running" || status === "running" || told.has(key)) continue;
      told.add(key);
      parent.postMessage({ type: frameMessages.answer, status }, "*");
    }
    next();
  });
  parent.postMessage({ type: frameMessages.listening }, "*");
}
