interface LifeOptions {
  /** Until when the run is this worker's for sure, in milliseconds since 1970 by this machine's clock. */
  heldUntil: number;
  /** Asks whether the run is still this worker's, and calls `holdUntil` or `end`. */
  renew(): Promise<void>;
  now?(): number;
}

/** For how long a call may take from the log that says it begins to its first request. */
const announcedMs = 5_000;

/** Whether a run is still this worker's, and how many of its calls to the world are under way. */
export class RunLife {
  private over = false;
  private count = 0;
  /** Calls that the log says have begun, and that are about to be made. */
  private readonly announced = new Set<() => void>();
  private heldUntil: number;
  private readonly renew: () => Promise<void>;
  private readonly now: () => number;
  private readonly listeners = new Set<() => void>();

  constructor({ heldUntil, renew, now = Date.now }: LifeOptions) {
    this.heldUntil = heldUntil;
    this.renew = renew;
    this.now = now;
  }

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

  /**
   * Counts a call from before the log says that it begins until it is made. To be told when the log is stored: from then on the next
   * call that begins is taken for it. One that fails before it contacts anything counts for `announcedMs` more.
   */
  announce(): () => void {
    const end = this.begin();
    return () => {
      const made = () => {
        clearTimeout(timer);
        this.announced.delete(made);
        end();
      };
      const timer = setTimeout(made, announcedMs);
      this.announced.add(made);
    };
  }

  /** From now on no call begins and none ends: what goes on in the engine waits for ever and is forgotten. */
  end(): void {
    this.over = true;
    for (const made of this.announced) made();
  }

  /** The run is this worker's until then, by this machine's clock. */
  holdUntil(time: number): void {
    this.heldUntil = Math.max(this.heldUntil, time);
  }

  /**
   * Makes a call, which counts until it has settled. Once the run is over it never does. A process that was stopped or starved
   * for longer than its lease asks first whether the run is still its own: another worker may be making the same call.
   */
  async during<Value>(call: () => Promise<Value>): Promise<Value> {
    if (this.over) return pending();
    const end = this.begin();
    const [made] = this.announced;
    made?.();
    try {
      while (!this.over && this.now() > this.heldUntil) await this.renew();
      if (this.over) return await pending();
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
