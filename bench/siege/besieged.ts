import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { SignedIn } from "../../supabase/local/testing/clients.ts";

/** How the work of somebody else went during a siege. */
export interface Endured {
  served: number;
  /** Told to come again. */
  refused: number;
  /** Neither served within the time nor told to come again, or refused with other words. */
  wrong: string[];
  slowestMs: number;
  /** The longest time from the first "come again" of one request to its answer. */
  longestAwayMs: number;
  lost: string[];
}

/** A request that is not answered within this time was left alone. */
const patienceMs = 2_000;
const mostTries = 200;
/** A round of its work takes at least this long, so that it stays below its own limit of calls a minute. */
const roundMs = 300;

interface Studio {
  url: string;
  key: string;
  /** A server that the function for HTTP may reach. */
  page: string;
}

/** Works as `user` by script until `signal`, then looks whether everything that was acknowledged is there. */
export async function endure({ url, key, page }: Studio, user: SignedIn, signal: AbortSignal): Promise<Endured> {
  const told: Endured = { served: 0, refused: 0, wrong: [], slowestMs: 0, longestAwayMs: 0, lost: [] };
  const headers = { apikey: key, authorization: `Bearer ${user.accessToken}`, "content-type": "application/json" };

  /** True when it was served; what was told to come again comes again. */
  async function ask(path: string, method: string, body?: object): Promise<Response | null> {
    let awaySince: number | undefined;
    for (let attempt = 0; attempt < mostTries; attempt += 1) {
      const began = performance.now();
      const response = await fetch(`${url}${path}`, {
        method,
        headers,
        ...(body ? { body: JSON.stringify(body) } : {}),
        signal: AbortSignal.timeout(30_000),
      }).catch((error: unknown) => String(error));
      const took = performance.now() - began;
      if (typeof response !== "string" && response.status < 300) {
        const text = await response.text();
        // Functions answer 200 also when what they called could not be reached.
        if (text.startsWith('{"error":')) told.wrong.push(`${method} ${path}: ${text}`.slice(0, 300));
        told.served += 1;
        told.slowestMs = Math.max(told.slowestMs, took);
        if (took > patienceMs) told.wrong.push(`${method} ${path} took ${Math.round(took)} ms`);
        if (awaySince !== undefined) told.longestAwayMs = Math.max(told.longestAwayMs, performance.now() - awaySince);
        return response;
      }
      const status = typeof response === "string" ? 0 : response.status;
      if (status !== 503) {
        const words = typeof response === "string" ? response : await response.text();
        told.wrong.push(`${method} ${path}: ${status} ${words}`.slice(0, 300));
        return null;
      }
      if (took > patienceMs) told.wrong.push(`${method} ${path} was told to come again after ${Math.round(took)} ms`);
      told.refused += 1;
      awaySince ??= began;
      await sleep(100);
    }
    told.wrong.push(`${method} ${path}: told to come again ${mostTries} times`);
    return null;
  }

  const workflow = randomUUID();
  await ask("/rest/v1/studio_workflows", "POST", { id: workflow, name: "0", document: {} });
  const remembered: string[] = [];
  let name = "0";
  for (let count = 1; !signal.aborted; count += 1) {
    const next = performance.now() + roundMs;
    const saved = await ask(`/rest/v1/studio_workflows?id=eq.${workflow}`, "PATCH", { name: String(count) });
    if (saved) name = String(count);
    const turn = `turn ${count}`;
    const appended = await ask("/rest/v1/rpc/studio_append_memory", "POST", {
      p_workflow_id: workflow,
      p_session_id: "siege",
      p_model: "",
      p_entries: [{ role: "user", content: turn, message: { role: "user" }, embedding: null }],
      p_write_id: randomUUID(),
    });
    if (appended) remembered.push(turn);
    await ask("/rest/v1/rpc/studio_list_workflows", "POST", {
      p_search: "",
      p_order: "edited",
      p_after: null,
      p_limit: 50,
    });
    await ask("/functions/v1/execute-http", "POST", { method: "GET", url: page });
    await sleep(Math.max(0, next - performance.now()));
  }

  const { data: rows } = await user.client.from("studio_workflows").select("name").eq("id", workflow);
  if (rows?.[0]?.name !== name) told.lost.push(`the name ${name}`);
  const kept = new Set<unknown>();
  for (let from = 0; ; from += 1_000) {
    const page = await user.client
      .from("studio_agent_memory")
      .select("content")
      .eq("workflow_id", workflow)
      .order("id")
      .range(from, from + 999);
    for (const row of page.data ?? []) kept.add(row.content);
    if ((page.data?.length ?? 0) < 1_000) break;
  }
  told.lost.push(...remembered.filter((turn) => !kept.has(turn)));
  return told;
}
