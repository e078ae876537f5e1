import type { Buffer } from "node:buffer";
import { EventEmitter } from "node:events";
import type { Socket } from "node:net";
import { MessageChecker } from "./check-messages.ts";

/**
 * A socket as the driver uses one, on which only checked messages arrive. It breaks with a ProtocolError, and with whatever
 * the driver throws over a message, so that a server of others never ends the process.
 */
class CheckedSocket extends EventEmitter {
  readonly #socket: Socket;
  readonly #checker: MessageChecker;
  #broken: Error | undefined;

  constructor(socket: Socket, isEncrypted: boolean) {
    super();
    this.#checker = new MessageChecker(isEncrypted);
    this.#socket = socket;
    socket.on("data", (piece: Buffer) => this.#pass(piece));
    socket.on("drain", () => this.emit("drain"));
    socket.on("error", (error) => this.#fail(error));
    socket.on("close", () => {
      // The driver takes an error first, so that it is told to who waits.
      if (this.#broken !== undefined && this.listenerCount("error") > 0) this.emit("error", this.#broken);
      this.emit("close", this.#broken !== undefined);
    });
  }

  get readyState(): string {
    return this.#socket.readyState;
  }

  write(data: Uint8Array, done?: (error?: Error | null) => void): boolean {
    return this.#socket.write(data, done);
  }

  end(data?: Uint8Array): void {
    if (data === undefined) this.#socket.end();
    else this.#socket.end(data);
  }

  destroy(error?: Error): void {
    this.#socket.destroy(error);
  }

  #pass(piece: Buffer): void {
    if (this.#broken !== undefined) return;
    try {
      for (const messages of this.#checker.read(piece)) this.emit("data", messages);
    } catch (error) {
      this.#fail(error instanceof Error ? error : new Error("The driver failed."));
    }
  }

  #fail(error: Error): void {
    this.#broken ??= error;
    this.#socket.destroy();
  }
}

/** Puts the check of messages between a connection and the driver. */
export function checkedSocket(socket: Socket, isEncrypted: boolean): CheckedSocket {
  return new CheckedSocket(socket, isEncrypted);
}
