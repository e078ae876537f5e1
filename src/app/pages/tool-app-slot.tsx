import { useContext } from "react";
import type { ShownApp } from "../../engine/tool/tool-app.ts";
import { SendMessage } from "../../features/chat/tool-app.ts";
import { AppFrame } from "../../features/mcp-app/app-frame.tsx";

/** The interface of a tool in a conversation: live where messages can be sent, and as it was recorded elsewhere. */
function ToolAppSlot({ shown }: { shown: ShownApp }) {
  const send = useContext(SendMessage);
  // Another document, or another way of showing it, is another frame.
  return <AppFrame key={`${shown.app.sha256} ${send === undefined}`} shown={shown} send={send} />;
}

export const renderToolApp = (shown: ShownApp) => <ToolAppSlot shown={shown} />;
