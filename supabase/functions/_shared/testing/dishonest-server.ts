import { Buffer } from "node:buffer";
import type { Socket } from "node:net";
import { forever } from "./dishonest-postgres.ts";

const page = (...headers: string[]): string =>
  ["HTTP/1.1 200 OK", "content-type: text/plain", ...headers, "", ""].join("\r\n");

/** What a server of any kind may do, by name; each begins when the client has spoken. */
export const dishonestAnywhere: Readonly<Record<string, (socket: Socket) => void>> = {
  "closes at once": (socket) => void socket.destroy(),
  "closes its half": (socket) => void socket.end(),
  garbage: (socket) => void socket.end(Buffer.alloc(4_096, 0xa5)),
  "garbage without end": (socket) => forever(socket, Buffer.alloc(65_536, 0xa5)),
  "zeros without end": (socket) => forever(socket, Buffer.alloc(65_536)),
};

/** What a web server may do besides. */
export const dishonestWeb: Readonly<Record<string, (socket: Socket) => void>> = {
  "headers without end": (socket) => {
    socket.write("HTTP/1.1 200 OK\r\n");
    forever(socket, Buffer.from("x-more: and more\r\n".repeat(1_000)));
  },
  "a length that is no number": (socket) => void socket.end(`${page("content-length: many")}x`),
  "a chunk of no length": (socket) => void socket.end(`${page("transfer-encoding: chunked")}zz\r\n`),
  "a body that is cut": (socket) => void socket.end(`${page("content-length: 1000")}x`),
};
