import { setImmediate as nextTurn } from "node:timers/promises";
import { startLoopbackServer, type LoopbackServer } from "./loopback-server.ts";

/** A vendor's answer as it goes over the wire. */
interface WireAnswer {
  status?: number;
  headers?: Record<string, string>;
  body: string;
}

export interface ReplayServer extends LoopbackServer {
  /** Answers every request from now on with this. */
  play(answer: WireAnswer): void;
}

/** Pieces of one to seven bytes, so that lines, JSON and letters of several bytes are torn apart. */
const pieceSizes = [1, 2, 5, 3, 7, 1, 4];

/** A loopback server that answers anything with a recorded answer, in small pieces. */
export async function startReplayServer(): Promise<ReplayServer> {
  let current: WireAnswer = { status: 503, body: "" };
  const server = await startLoopbackServer(async (_request, response) => {
    const { status = 200, headers = {}, body } = current;
    const type = /^(event|data):/.test(body) ? "text/event-stream" : "application/json";
    response.writeHead(status, { "content-type": type, ...headers });
    const bytes = Buffer.from(body);
    for (let start = 0, turn = 0; start < bytes.length; turn += 1) {
      const size = pieceSizes[turn % pieceSizes.length] ?? 1;
      response.write(bytes.subarray(start, start + size));
      start += size;
      await nextTurn();
    }
    response.end();
  });
  return {
    ...server,
    play: (answer) => {
      current = answer;
    },
  };
}
