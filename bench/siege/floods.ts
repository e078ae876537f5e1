import { randomBytes } from "node:crypto";
import { Agent, fetch } from "undici";

/** What a flood knows: keys of its own and runs that it may follow. */
export interface FloodTarget {
  keys?: string[];
  runs?: string[];
}

/** Goes on until `signal`; gives how often each status came. `onReady` is called when it is under way. */
type Flood = (
  url: string,
  target: FloodTarget,
  signal: AbortSignal,
  onReady: () => void,
) => Promise<Record<string, number>>;

/** Requests that are open at the same time. */
const openRequests = 100;
const openStreams = 600;

const token = (prefix: string) => `${prefix}_${randomBytes(33).toString("base64url").slice(0, 43)}`;

function endless(path: string, init: () => { method: string; authorization?: string }): Flood {
  return async (url, _target, signal, onReady) => {
    const dispatcher = new Agent({ connections: openRequests });
    const statuses: Record<string, number> = {};
    const one = async (): Promise<void> => {
      while (!signal.aborted) {
        const { method, authorization } = init();
        const headers = authorization === undefined ? {} : { authorization: `Bearer ${authorization}` };
        const response = await fetch(`${url}${path}`, { method, headers, dispatcher, signal }).catch(() => null);
        await response?.arrayBuffer().catch(() => undefined);
        const status = String(response?.status ?? "none");
        statuses[status] = (statuses[status] ?? 0) + 1;
      }
    };
    const all = Array.from({ length: openRequests }, one);
    setTimeout(onReady, 2_000);
    await Promise.all(all);
    await dispatcher.destroy();
    return statuses;
  };
}

/** Six hundred followers of some runs, by some keys. */
const streams: Flood = async (url, { keys = [], runs = [] }, signal, onReady) => {
  const dispatcher = new Agent({ connections: openStreams, bodyTimeout: 0 });
  const statuses: Record<string, number> = {};
  const all = Array.from({ length: openStreams }, async (_stream, index) => {
    const response = await fetch(`${url}/api/runs/${runs[index % runs.length]}/events`, {
      headers: { authorization: `Bearer ${keys[index % keys.length]}` },
      dispatcher,
      signal,
    }).catch(() => null);
    const status = String(response?.status ?? "none");
    statuses[status] = (statuses[status] ?? 0) + 1;
    return response;
  });
  const opened = await Promise.all(all);
  onReady();
  await Promise.all(opened.map((response) => response?.text().catch(() => undefined)));
  await dispatcher.destroy();
  return statuses;
};

/** By name, what visitors of one door do to it. */
export const floods = {
  "no key": endless("/api/run/loud", () => ({ method: "POST" })),
  "made-up keys": endless("/api/run/loud", () => ({ method: "POST", authorization: token("sy") })),
  "made-up tokens": endless("/c-api/loud/threads", () => ({ method: "GET", authorization: token("cs") })),
  streams,
} satisfies Record<string, Flood>;
