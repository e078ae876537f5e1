import { connect, type Socket } from "node:net";

/** 1.5 million empty lists in 4.5 MB. */
export const manyLists = (): string => `[${"[],".repeat(1_500_000)}[]]`;

/** An open connection on which a request has begun. */
export interface HalfRequest {
  socket: Socket;
  /** All that came back until the connection ended. */
  answer: Promise<string>;
}

/** Sends the beginning of a request and nothing more. */
export function beginRequest(url: string, head: readonly string[], body: string | Buffer = ""): HalfRequest {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  const pieces: Buffer[] = [];
  const answer = new Promise<string>((resolve) => {
    socket.on("data", (piece: Buffer) => pieces.push(piece));
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(Buffer.concat(pieces).toString("utf8")));
  });
  const [first = "", ...rest] = head;
  socket.write([first, `host: ${host}`, ...rest].join("\r\n"));
  if (rest.at(-1) === "") socket.write(body);
  return { socket, answer };
}

/** A post that announces much and stops in the middle. Give headers such as a token in `headers`. */
export function beginPost(
  url: string,
  path: string,
  { announced, sent, headers = [] }: { announced: number; sent: number; headers?: readonly string[] },
): HalfRequest {
  const lines = [
    `POST ${path} HTTP/1.1`,
    "content-type: application/json",
    ...headers,
    `content-length: ${announced}`,
    "",
    "",
  ];
  return beginRequest(url, lines, Buffer.alloc(sent, "["));
}
