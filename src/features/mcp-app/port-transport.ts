import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { JSONRPCMessageSchema, type JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";

/** The protocol over a port to the frame: JSON texts both ways. What is no message of the protocol is dropped. */
export class PortTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  private readonly port: MessagePort;

  private readonly onFlood: () => void;

  /** `onFlood` is called when the page in the frame has closed the document for sending too much. */
  constructor(port: MessagePort, onFlood: () => void) {
    this.port = port;
    this.onFlood = onFlood;
  }

  start(): Promise<void> {
    this.port.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
      if (data === "closed") return this.onFlood();
      const message = JSONRPCMessageSchema.safeParse(parsed(data));
      if (message.success) this.onmessage?.(message.data);
    });
    this.port.start();
    return Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    this.port.postMessage(message, []);
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.port.close();
    this.onclose?.();
    return Promise.resolve();
  }
}

function parsed(data: unknown): unknown {
  try {
    return typeof data === "string" ? JSON.parse(data) : undefined;
  } catch {
    return undefined;
  }
}
