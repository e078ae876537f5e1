import { z } from "zod/mini";
import type {
  BrowserModel,
  BrowserModelMessage,
  BrowserModelSession,
  BrowserModelSettings,
} from "../engine/model/browser-model.ts";

/** The parts of the Prompt API that are used here (webmachinelearning.github.io/prompt-api, "The API"). */
interface PromptSession {
  contextUsage?: number;
  measureContextUsage?(prompt: string): Promise<number>;
  promptStreaming(prompt: string, options: object): ReadableStream<string>;
  destroy(): void;
}

interface PromptApi {
  availability(options: object): Promise<unknown>;
  create(options: object): Promise<PromptSession>;
  /** Only where the page may choose temperature and topK. */
  params?: unknown;
}

const isMethod = (value: unknown): boolean => typeof value === "function";

const promptApi = z.custom<PromptApi>(
  (value) =>
    value !== null &&
    (typeof value === "function" || typeof value === "object") &&
    isMethod(Reflect.get(value, "availability")) &&
    isMethod(Reflect.get(value, "create")),
);

const availability = z.enum(["unavailable", "downloadable", "downloading", "available"]);
const progress = z.object({ loaded: z.number(), total: z.optional(z.number()) });

/** The Prompt API of this browser, or of `scope` in tests. */
export function createBrowserModel(scope: object = globalThis): BrowserModel {
  const found = promptApi.safeParse(Reflect.get(scope, "LanguageModel"));
  const api = found.success ? found.data : undefined;
  return {
    hasSampling: api !== undefined && isMethod(api.params),
    async state(settings) {
      if (api === undefined) return "missing";
      const answer = await api.availability(coreOptions(settings)).catch(() => "unavailable");
      return z.catch(availability, "unavailable").parse(answer);
    },
    async open({ messages, signal, onDownload, ...settings }) {
      if (api === undefined) throw new Error("This browser has no LanguageModel.");
      const session = await api.create({
        ...coreOptions(settings),
        ...initial(messages),
        signal,
        monitor(monitor: EventTarget) {
          monitor.addEventListener("downloadprogress", (event) => onDownload(shareOf(event)));
        },
      });
      return wrap(session);
    },
  };
}

/** The same for `availability` and `create`, since the answer of one holds for the other only then. */
function coreOptions({ language, temperature, topK }: BrowserModelSettings): object {
  const expected = [{ type: "text", languages: [language] }];
  return {
    ...(language === "" ? {} : { expectedInputs: expected, expectedOutputs: expected }),
    // The API takes both or neither.
    ...(temperature !== undefined && topK !== undefined ? { temperature, topK } : {}),
  };
}

function initial(messages: readonly BrowserModelMessage[]): object {
  return messages.length === 0 ? {} : { initialPrompts: messages };
}

function shareOf(event: Event): number {
  const read = progress.safeParse(event);
  if (!read.success) return 0;
  const { loaded, total = 1 } = read.data;
  return total > 0 ? Math.min(1, loaded / total) : 0;
}

function wrap(session: PromptSession): BrowserModelSession {
  return {
    tokens: () => session.contextUsage,
    measure: async (prompt) => session.measureContextUsage?.(prompt),
    prompt(prompt, { signal, schema }) {
      const options = { signal, ...(schema ? { responseConstraint: schema } : {}) };
      return pieces(session.promptStreaming(prompt, options));
    },
    close: () => session.destroy(),
  };
}

/** Not every browser's streams can be iterated. */
async function* pieces(stream: ReadableStream<string>): AsyncGenerator<string> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
