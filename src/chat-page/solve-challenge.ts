import { solveChallenge } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/web/pbkdf2";
import type { ChatChallenge, ChatWork } from "../engine/doors/chat-api.ts";
import { ChatProblem } from "./chat-client.ts";

/** Shorter than a challenge lives on the server. */
const patienceMs = 45_000;

/** Finds the solution of a challenge by trying; the browser's own cryptography works beside the page. Rejects with ChatProblem. */
export async function solve(challenge: ChatChallenge): Promise<ChatWork> {
  const solution = await solveChallenge({ challenge, deriveKey, timeout: patienceMs });
  if (solution === null) {
    throw new ChatProblem(
      "work_required",
      "This device was too slow for the task before the first message. Try again.",
    );
  }
  const { counter, derivedKey } = solution;
  return { challenge, solution: { counter, derivedKey } };
}
