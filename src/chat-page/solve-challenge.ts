import { solveChallenge } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/web/pbkdf2";
import type { ChatChallenge, ChatWork } from "../doors/chat-api.ts";

/** Shorter than a challenge lives on the server. */
const patienceMs = 45_000;

/** Finds the solution of a challenge by trying, beside the page; null where this device is too slow. */
export async function solve(challenge: ChatChallenge): Promise<ChatWork | null> {
  const solution = await solveChallenge({ challenge, deriveKey, timeout: patienceMs });
  if (solution === null) return null;
  const { counter, derivedKey } = solution;
  return { challenge, solution: { counter, derivedKey } };
}
