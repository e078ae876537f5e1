import { createParser } from "eventsource-parser";

/**
 * Reads an answer made of server-sent events (HTML standard, section 9.2.6). Names and ids of events are passed over:
 * vendors repeat in the data what they say.
 */
export class ServerSentEvents {
  private readonly reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  private readonly decoder = new TextDecoder();
  private complete: string[] = [];
  private readonly parser = createParser({ onEvent: ({ data }) => void this.complete.push(data) });

  constructor(response: Response) {
    this.reader = response.body?.getReader();
  }

  /**
   * The data of the events that the next piece of the body completes, often none; undefined at the end. Rejects as the
   * body does. What is not followed by an empty line was cut off and does not count.
   */
  async next(): Promise<string[] | undefined> {
    const piece = await this.reader?.read();
    if (!piece || piece.done) return undefined;
    this.complete = [];
    this.parser.feed(this.decoder.decode(piece.value, { stream: true }));
    return this.complete;
  }

  /** Lets go of the body, and of its connection when it has not ended. */
  async cancel(): Promise<void> {
    await this.reader?.cancel();
  }
}
