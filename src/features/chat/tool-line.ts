import { createContext } from "react";
import type { ReactNode } from "react";
import type { ChatPart } from "./chat-part.ts";

/** A tool call in a conversation: of a run that is held, or as a memory has it. */
export type ToolPart = Extract<ChatPart, { kind: "tool" | "past-tool" }>;

/** Draws tool calls in a way of its own; undefined leaves one as usual. */
export const ToolLineContext = createContext<(part: ToolPart) => ReactNode | undefined>(() => undefined);
