/** What the stand-in for the browser's `LanguageModel` does. */
export interface PromptApiScript {
  state?: "unavailable" | "downloadable" | "downloading" | "available";
  /** Shares of the download that are reported while a session is made. */
  downloads?: readonly number[];
  pieces?: readonly string[];
  /** Thrown by `create`, or by the stream after its pieces. */
  createError?: DOMException;
  promptError?: DOMException;
  /** The page may choose temperature and topK. */
  sampling?: boolean;
}

interface Recorded {
  availability: unknown[];
  create: Record<string, unknown>[];
  prompt: { input: string; options: Record<string, unknown> }[];
  destroyed: number;
}

const tokens = (text: string): number => Math.ceil(text.length / 4);

/** A `LanguageModel` as the published Prompt API describes it, with a record of what was asked of it. */
export function promptApi(script: PromptApiScript = {}): { scope: object; recorded: Recorded } {
  const recorded: Recorded = { availability: [], create: [], prompt: [], destroyed: 0 };
  const { state = "available", downloads = [], pieces = ["Hel", "lo"], createError, promptError, sampling } = script;
  const LanguageModel = {
    ...(sampling ? { params: () => Promise.resolve({}) } : {}),
    availability(options: unknown) {
      recorded.availability.push(options);
      return Promise.resolve(state);
    },
    async create(options: Record<string, unknown> & { signal?: AbortSignal; monitor?: (target: EventTarget) => void }) {
      recorded.create.push(options);
      options.signal?.throwIfAborted();
      const target = new EventTarget();
      options.monitor?.(target);
      for (const loaded of downloads) {
        await Promise.resolve();
        target.dispatchEvent(Object.assign(new Event("downloadprogress"), { loaded, total: 1 }));
        await Promise.resolve();
      }
      if (createError) throw createError;
      return makeSession(JSON.stringify(options["initialPrompts"] ?? ""));
    },
  };

  function makeSession(before: string) {
    const session = {
      contextUsage: tokens(before),
      measureContextUsage: (text: string) => Promise.resolve(tokens(text)),
      promptStreaming(input: string, options: Record<string, unknown> & { signal?: AbortSignal }) {
        recorded.prompt.push({ input, options });
        const left = [...pieces];
        return new ReadableStream<string>({
          pull(controller) {
            if (options.signal?.aborted) return controller.error(options.signal.reason);
            const piece = left.shift();
            if (piece !== undefined) return controller.enqueue(piece);
            if (promptError) return controller.error(promptError);
            session.contextUsage += tokens(input) + tokens(pieces.join(""));
            return controller.close();
          },
        });
      },
      destroy() {
        recorded.destroyed += 1;
      },
    };
    return session;
  }

  return { scope: { LanguageModel }, recorded };
}
