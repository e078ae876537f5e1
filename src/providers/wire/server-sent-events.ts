/**
 * Reads an answer made of server-sent events (HTML standard, section 9.2.6). Names and ids of events are passed over:
 * vendors repeat in the data what they say.
 */
export class ServerSentEvents {
  private readonly reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  private readonly decoder = new TextDecoder();
  /** The part of a line that has arrived. */
  private rest = "";
  /** The lines of data of an event that is not complete. */
  private lines: string[] = [];

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
    return this.take(this.decoder.decode(piece.value, { stream: true }));
  }

  /** Lets go of the body, and of its connection when it has not ended. */
  async cancel(): Promise<void> {
    await this.reader?.cancel();
  }

  private take(text: string): string[] {
    const complete: string[] = [];
    if (!/[\n\r]/.test(text)) {
      this.rest += text;
      return complete;
    }
    let from = 0;
    const whole = withLineFeeds(this.rest + text);
    for (let end = whole.indexOf("\n"); end !== -1; end = whole.indexOf("\n", from)) {
      if (end > from) this.takeLine(whole.slice(from, end));
      else if (this.lines.length > 0) {
        complete.push(this.lines.length === 1 ? (this.lines[0] ?? "") : this.lines.join("\n"));
        this.lines = [];
      }
      from = end + 1;
    }
    this.rest = whole.slice(from);
    return complete;
  }

  private takeLine(line: string): void {
    if (line.startsWith("data: ")) this.lines.push(line.slice(6));
    else if (line.startsWith("data:")) this.lines.push(line.slice(5));
    else if (line === "data") this.lines.push("");
  }
}

/** The same text with one kind of line ends; a carriage return at the end may be half of one and stays. */
function withLineFeeds(text: string): string {
  return text.includes("\r") ? text.replace(/\r\n|\r(?!$)/g, "\n") : text;
}
