import { createParser } from "eventsource-parser";

/**
 * Reads an answer made of server-sent events (HTML standard, section 9.2.6). Names and ids of events are passed over:
 * vendors repeat in the data what they say.
 */
export class ServerSentEvents {
  private readonly reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  private readonly decoder = new TextDecoder();
  private complete: string[] = [];
  private readonly stray: string[] = [];
  private readonly parser = createParser({
    onEvent: ({ data }) => void this.complete.push(data),
    onError: ({ type, line }) => {
      if (type === "unknown-field" && line !== undefined) this.stray.push(line);
    },
  });

  constructor(response: Response) {
    this.reader = response.body?.getReader();
  }

  /**
   * The data of the events that the next piece of the body completes, often none; undefined at the end. Rejects as the
   * body does. What is not followed by an empty line was cut off and does not count.
   */
  async next(): Promise<string[] | undefined> {
    const piece = await this.reader?.read();
    if (!piece || piece.done) {
      this.parser.reset({ consume: true });
      return undefined;
    }
    this.complete = [];
    this.parser.feed(this.decoder.decode(piece.value, { stream: true }));
    return this.complete;
  }

  /** The lines that belong to no event, such as an error that a server wrote bare into its answer. */
  outside(): string {
    return this.stray.join("\n");
  }

  /** Lets go of the body, and of its connection when it has not ended. */
  async cancel(): Promise<void> {
    await this.reader?.cancel();
  }
}
