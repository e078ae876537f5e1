import { AppBridge } from "@modelcontextprotocol/ext-apps/app-bridge";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod/mini";
import type { AppAnswer } from "../../engine/run/app-call.ts";
import { isJsonObject, type Json, type JsonObject } from "../../engine/json.ts";
import { studioVersion } from "../../engine/studio-version.ts";
import { PortTransport } from "./port-transport.ts";

/** What an interface may ask of the studio. A recording has none of it. */
export interface AppRequests {
  call(toolName: string, input: JsonObject, signal: AbortSignal): Promise<AppAnswer>;
  /** Whether the person sent the message. */
  send(text: string): Promise<boolean>;
  /** Whether the person opened the address. */
  openLink(url: string): Promise<boolean>;
}

interface BridgeOptions {
  /** The arguments of the call whose result is shown. */
  input: Json;
  /** The result as the server gave it. */
  output: Json;
  theme: "light" | "dark";
  /** Pixels. */
  maxHeight: number;
  requests: AppRequests | undefined;
  onHeight(pixels: number): void;
  /** The document speaks the protocol. */
  onReady(): void;
  /** The frame was closed for sending too much. */
  onClosed(): void;
}

interface OpenBridge {
  setTheme(theme: "light" | "dark"): void;
  close(): void;
}

/** Calls of one interface: those under way, and all that it makes while it is shown. */
const maxAtOnce = 4;
const maxCalls = 200;

const message = z.object({ content: z.array(z.looseObject({ type: z.string(), text: z.optional(z.string()) })) });
const recorded = "This shows a recorded run: nothing can be called from here.";

/**
 * Speaks the host's side of MCP Apps with the document behind `port`. Only what is named here is answered; everything else is an unknown
 * method. Whatever the document sends has the form of the protocol, or it is dropped.
 */
export async function openAppBridge(port: MessagePort, options: BridgeOptions): Promise<OpenBridge> {
  const { input, output, theme, maxHeight, requests, onHeight, onReady, onClosed } = options;
  const context = (now: "light" | "dark") => ({
    theme: now,
    displayMode: "inline" as const,
    availableDisplayModes: ["inline" as const],
    containerDimensions: { maxHeight },
    locale: navigator.language,
    platform: "web" as const,
  });
  const able = { serverTools: {}, openLinks: {}, message: { text: {} } };
  const bridge = new AppBridge(null, { name: "Switchyard", version: studioVersion }, requests ? able : {}, {
    hostContext: context(theme),
  });
  const controller = new AbortController();
  let underWay = 0;
  let made = 0;

  bridge.oncalltool = async ({ name, arguments: given }): Promise<CallToolResult> => {
    if (requests === undefined) throw new Error(recorded);
    if (underWay >= maxAtOnce) throw new Error(`At most ${maxAtOnce} calls at a time.`);
    if (made >= maxCalls) throw new Error(`This interface has made ${maxCalls} calls. Ask again in the chat for more.`);
    underWay += 1;
    made += 1;
    try {
      const answer = await requests.call(name, isJsonObject(given) ? given : {}, controller.signal);
      return answer.ok ? resultOf(answer.output) : failed(answer.message);
    } finally {
      underWay -= 1;
    }
  };
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- it answers a request of the protocol, and is no event.
  bridge.onmessage = async (params) => {
    const text = (message.safeParse(params).data?.content ?? [])
      .flatMap((part) => (part.type === "text" && part.text !== undefined ? [part.text] : []))
      .join("\n");
    const isSent = requests !== undefined && text.trim() !== "" && (await requests.send(text));
    return isSent ? {} : { isError: true };
  };
  bridge.onopenlink = async ({ url }) => {
    const isOpen = requests !== undefined && (await requests.openLink(url));
    return isOpen ? {} : { isError: true };
  };
  bridge.addEventListener("sizechange", ({ height }) => {
    if (height !== undefined && Number.isFinite(height)) onHeight(height);
  });
  bridge.addEventListener("initialized", () => {
    onReady();
    void bridge.sendToolInput({ arguments: isJsonObject(input) ? input : {} });
    void bridge.sendToolResult(resultOf(output));
  });
  await bridge.connect(new PortTransport(port, onClosed));
  return {
    setTheme: (now) => bridge.setHostContext(context(now)),
    close() {
      controller.abort();
      void bridge.close();
    },
  };
}

function failed(text: string): CallToolResult {
  return { content: [{ type: "text", text }], isError: true };
}

/** A server's result with the parts that the protocol wants. */
function resultOf(output: Json): CallToolResult {
  const text = typeof output === "string" ? output : JSON.stringify(output);
  if (!isJsonObject(output)) return { content: [{ type: "text", text }] };
  return { ...output, content: Array.isArray(output["content"]) ? output["content"] : [] } as CallToolResult;
}
