import { readSessionName } from "../../../engine/memory/memory.ts";
import type { MessageStore, SessionKey } from "../../../engine/host.ts";

/** What was read counts for so long: somebody else may write to the conversation meanwhile. */
const freshMs = 3_000;
/** Requests that are remembered: of the conversation in use, with what is kept beside it, and of the one before. */
const mostRequests = 6;

type Read = "load" | "loadStored";
type StoredForm = "plain" | "encrypted";

interface KnownRead {
  /** In plain text, or encrypted: a run's stores are its own, and read the same as those of the next one. */
  form: StoredForm;
  store: MessageStore;
  read: Read;
  key: SessionKey;
  options: { limit?: number; after?: number };
  begun?: { at: number; result: Promise<unknown> };
}

/** Reads conversations before a run asks for them. */
export interface ReadAhead {
  /** A message is being typed: reads what the last run read of this conversation, unless that was done a moment ago. */
  begin(workflowId: string, sessionId: string): void;
  /** The store, with what was read ahead. */
  through(store: MessageStore, form: StoredForm): MessageStore;
  /** `fetch` for the database: whatever is written by this tab, what was read ahead of it does not count. */
  noticing(fetch: typeof globalThis.fetch): typeof globalThis.fetch;
}

/** One for the tab. What was read ahead is given to one reader, once, within three seconds; a failure counts as not read. */
export function createReadAhead(now: () => number = () => performance.now()): ReadAhead {
  let requests: KnownRead[] = [];
  const isFresh = ({ begun }: KnownRead) => begun !== undefined && now() - begun.at < freshMs;

  const forget = () => {
    for (const request of requests) delete request.begun;
  };

  const nameOf = (read: Read, key: SessionKey, { limit, after }: KnownRead["options"]) =>
    JSON.stringify([read, key.workflowId, key.sessionId, limit, after]);

  /** What was read ahead for this request, which is remembered for the next time; undefined where it was not. */
  const take = (from: Pick<KnownRead, "store" | "form" | "read">, key: SessionKey, options: KnownRead["options"]) => {
    const name = nameOf(from.read, key, options);
    const known = requests.find(
      (each) => each.form === from.form && nameOf(each.read, each.key, each.options) === name,
    );
    const { limit, after } = options;
    const request: KnownRead = {
      ...from,
      key,
      options: { ...(limit === undefined ? {} : { limit }), ...(after === undefined ? {} : { after }) },
    };
    requests = [request, ...requests.filter((each) => each !== known)].slice(0, mostRequests);
    return known && isFresh(known) ? known.begun?.result : undefined;
  };

  async function reading<Value>(
    ahead: Promise<unknown> | undefined,
    signal: AbortSignal | undefined,
    read: () => Promise<Value>,
  ) {
    if (ahead === undefined) return read();
    const found = await ahead.then(
      (value) => ({ value: value as Value }),
      () => undefined,
    );
    signal?.throwIfAborted();
    return found === undefined ? read() : found.value;
  }

  return {
    begin(workflowId, sessionId) {
      for (const request of requests) {
        const { store, read, key, options } = request;
        const isOf = key.workflowId === null || key.workflowId === workflowId;
        if (!isOf || readSessionName(key.sessionId).session !== sessionId || isFresh(request)) continue;
        const result: Promise<unknown> = store[read](key, options);
        // Whoever takes it asks again.
        result.catch(() => {});
        request.begun = { at: now(), result };
      }
    },
    through: (store, form) => ({
      ...store,
      load: (key, options) =>
        reading(take({ store, form, read: "load" }, key, options), options.signal, () => store.load(key, options)),
      loadStored: (key, options) =>
        reading(take({ store, form, read: "loadStored" }, key, options), options.signal, () =>
          store.loadStored(key, options),
        ),
    }),
    noticing: (fetch) => (input, init) => {
      const method = init?.method ?? (input instanceof Request ? input.method : "GET");
      if (method === "GET" || method === "HEAD") return fetch(input, init);
      forget();
      return fetch(input, init).finally(forget);
    },
  };
}
