import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { loopbackFactor, networkOf } from "../../functions/_shared/caller-address.ts";
import {
  addressLimit,
  apiKeyIn,
  doorPaths,
  findDoorPath,
  problemForm,
  takes,
  visitorTokenIn,
} from "../../functions/_shared/door-paths.ts";
import { type Problem, problems, refusals } from "../../functions/_shared/door-problem.ts";
import { isFileLink } from "../../functions/_shared/files/file-link.ts";
import { respondProblem } from "../../functions/_shared/problem-forms.ts";
import { partyText } from "./current-sender.ts";
import { createMinuteCounts } from "./minute-counts.ts";
import type { OpenDoors } from "./open-doors.ts";

/** A call of a door, as its first bytes say. */
interface DoorRequest {
  method: string;
  pathname: string;
  headers: Pick<Headers, "get">;
  /** Of who calls. */
  address: string;
  signal: AbortSignal;
}

/**
 * Stands in front of the doors and refuses in memory what needs no look at the database: addresses that have made their calls,
 * calls without a key or a token, and made-up keys and names. The answers are the doors' own.
 */
export interface DoorGate {
  /**
   * Answers a call: refused here, or by `pass`, which is told as whom it takes turns at the database: the key, the publication with
   * its networks, or else the network. To an address that was refused often in this minute, refusals come slowly.
   */
  answer(request: DoorRequest, pass: (party: string) => Promise<Response>): Promise<Response>;
}

const nouns = { hook: "webhook", chat: "chat", share: "shared run" } as const;

/** Refusals a minute that an address gets at once. */
const quickRefusals = 30;
const slowRefusalMs = 1_000;

const pausedDetail = "The studio was restored from a backup and is being looked at. Try again later.";

/** `isPaused`: all doors are closed for now. */
export function createDoorGate(
  doors: Pick<OpenDoors, "hasDoor" | "keyState">,
  isPaused: () => boolean = () => false,
): DoorGate {
  const calls = createMinuteCounts();
  const refused = createMinuteCounts();

  /** Who takes turns, or why the call is refused. */
  async function judge({ method, pathname, headers }: DoorRequest, network: string): Promise<Problem | string> {
    const found = findDoorPath(pathname);
    const max = addressLimit(found?.pattern) * factorOf(network);
    const waitMs = calls.take(`${network} ${found?.pattern ?? ""}`, max);
    if (waitMs > 0) return refusals.tooManyFromAddress(Math.max(1, Math.ceil(waitMs / 1_000)));
    if (isPaused()) return { ...problems.unavailable, detail: pausedDetail };
    const anybody = `network ${network}`;
    const path = found && doorPaths[found.pattern];
    if (!path || !takes(path, method)) return anybody;
    if (path.opens === "key") {
      const key = apiKeyIn(headers);
      if (key === undefined) return refusals.noKey;
      const hash = createHash("sha256").update(key).digest("hex");
      const state = await doors.keyState(hash);
      if (state === "unknown") return refusals.unknownKey;
      return state === "expired" ? refusals.expiredKey : `key ${hash.slice(0, 32)}`;
    }
    const slug = found.params["slug"] ?? "";
    if (path.opens === "share") {
      if (!/^[0-9a-f]{32}$/.test(slug)) return problems.notFound(nouns.share);
      // The door finds out by one read, and the secret in the path is nobody's name.
      return partyText({ name: "shared runs", member: network });
    }
    if (path.opens === "link") {
      if (!isFileLink(found.params["link"] ?? "")) return problems.notFound("file");
      return partyText({ name: "file links", member: network });
    }
    if (!(await doors.hasDoor(path.opens, slug))) return problems.notFound(nouns[path.opens]);
    // Of another page's call, the door says first that the page may not make it.
    const origin = headers.get("origin");
    const isOwnPage = origin === null || origin === "null";
    if (path.forVisitors && isOwnPage && visitorTokenIn(headers) === undefined) return refusals.unknownSession;
    return /^[a-z0-9-]{1,60}$/.test(slug) ? partyText({ name: `door ${slug}`, member: network }) : anybody;
  }

  return {
    async answer(request, pass) {
      const network = networkOf(request.address);
      const verdict = request.method === "OPTIONS" ? `network ${network}` : await judge(request, network);
      const response = typeof verdict === "string" ? await pass(verdict) : refuse(verdict, request);
      const isRefused = response.status >= 400 && response.status < 500;
      if (isRefused && refused.take(network, quickRefusals * factorOf(network)) > 0) {
        await sleep(slowRefusalMs, undefined, { signal: request.signal, ref: false }).catch(() => undefined);
      }
      return response;
    },
  };
}

function refuse(problem: Problem, { pathname, headers }: DoorRequest): Response {
  const form = problemForm(pathname);
  const response = respondProblem(problem, { form, headers });
  response.headers.append("vary", "origin");
  return response;
}

const factorOf = (network: string): number => (network === "loopback" ? loopbackFactor : 1);
