/** Whether a run is still this worker's, and how many of its calls to the world are under way. */
export class RunLife {
  private over = false;
  private count = 0;
  private readonly listeners = new Set<() => void>();

  get isOver(): boolean {
    return this.over;
  }

  /** Calls under way; answers that are being read count. */
  get underWay(): number {
    return this.count;
  }

  /** Called after every change of `underWay`. */
  onChange(listener: () => void): void {
    this.listeners.add(listener);
  }

  /** From now on no call begins and none ends: what goes on in the engine waits for ever and is forgotten. */
  end(): void {
    this.over = true;
  }

  /** Makes a call, which counts until it has settled. Once the run is over it never does. */
  async during<Value>(call: () => Promise<Value>): Promise<Value> {
    if (this.over) return pending();
    const end = this.begin();
    try {
      const value = await call();
      return this.over ? await pending() : value;
    } catch (error) {
      if (this.over) return await pending();
      throw error;
    } finally {
      end();
    }
  }

  /** A call whose answer is a stream: it counts until that was read or left. */
  async duringStream(call: () => Promise<Response>): Promise<Response> {
    const end = this.begin();
    try {
      const response = await this.during(call);
      if (response.body === null) {
        end();
        return response;
      }
      const { status, statusText, headers } = response;
      return new Response(this.followed(response.body.getReader(), end), { status, statusText, headers });
    } catch (error) {
      end();
      throw error;
    }
  }

  private followed(reader: ReadableStreamDefaultReader<Uint8Array>, end: () => void): ReadableStream<Uint8Array> {
    return new ReadableStream({
      pull: async (controller) => {
        try {
          const { done, value } = await reader.read();
          if (this.over) return await pending();
          if (!done) return controller.enqueue(value);
          end();
          controller.close();
        } catch (error) {
          end();
          if (!this.over) controller.error(error);
        }
      },
      cancel: (reason) => {
        end();
        return reader.cancel(reason);
      },
    });
  }

  private begin(): () => void {
    this.count += 1;
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      this.count -= 1;
      for (const listener of this.listeners) listener();
    };
  }
}

function pending(): Promise<never> {
  return new Promise(() => {});
}
