import { createContext, type ReactNode } from "react";
import type { ShownApp } from "../../engine/tool/tool-app.ts";

/** Draws the interface of a tool; nothing where interfaces are not shown. */
export const ToolAppContext = createContext<(shown: ShownApp) => ReactNode>(() => null);

/**
 * Sends a message that a tool's interface wrote, in the conversation that it is shown in: nobody's own words, whoever let it be sent.
 * Returns false where none can be sent. Absent outside a conversation.
 */
export const SendMessage = createContext<((text: string, toolName: string) => boolean) | undefined>(undefined);
