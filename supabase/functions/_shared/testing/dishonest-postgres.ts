import { Buffer } from "node:buffer";
import type { Socket } from "node:net";

const message = (type: string, ...body: (Buffer | string)[]): Buffer => {
  const content = Buffer.concat(body.map((part) => Buffer.from(part)));
  const head = Buffer.alloc(5);
  head.write(type, "latin1");
  head.writeUInt32BE(content.length + 4, 1);
  return Buffer.concat([head, content]);
};
const int32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};
const int16 = (value: number): Buffer => int32(value).subarray(2);

const signedIn = Buffer.concat([message("R", int32(0)), message("K", int32(1), int32(2)), message("Z", "I")]);
const columns = (count: number): Buffer =>
  message(
    "T",
    int16(count),
    ...Array.from({ length: count }, () => Buffer.concat([Buffer.from("c\0"), Buffer.alloc(18)])),
  );
const asksForScram = message("R", int32(10), "SCRAM-SHA-256\0\0");
const challenge = (text: string): Buffer => message("R", int32(11), text);
const nonce = "r=abcdefghijklmnopqrstuvwx";

/** Lets a client in, and answers whatever it sends next with these bytes. */
const onceSignedIn =
  (answer: Buffer) =>
  (socket: Socket): void => {
    socket.write(signedIn);
    socket.once("data", () => socket.write(answer));
  };

const onceAsked =
  (answer: Buffer) =>
  (socket: Socket): void => {
    socket.write(asksForScram);
    socket.once("data", () => socket.write(answer));
  };

/** Writes the same for as long as somebody reads. */
export function forever(socket: Socket, piece: Buffer): void {
  const fill = (): void => {
    while (socket.writable && socket.write(piece));
    if (socket.writable) socket.once("drain", fill);
  };
  fill();
}

/** What a server that only looks like Postgres may say, by name; each begins when the client has spoken. */
export const dishonestPostgres: Readonly<Record<string, (socket: Socket) => void>> = {
  "SCRAM with two thousand million iterations": onceAsked(challenge(`${nonce},s=c2FsdHNhbHQ=,i=2000000000`)),
  "SCRAM without a salt": onceAsked(challenge(`${nonce},i=4096`)),
  "SCRAM with nothing": onceAsked(challenge("")),
  "the password in clear text": (socket) => socket.write(message("R", int32(3))),
  "the password in clear text once it has got a proof": (socket) => {
    socket.write(asksForScram);
    socket.once("data", () => socket.write(message("R", int32(3))));
  },
  "signing in that is over without a proof": onceAsked(Buffer.concat([message("R", int32(12), "v=AAAA"), signedIn])),
  "a way to sign in that nobody knows": (socket) => socket.write(message("R", int32(99))),
  "signing in without end": (socket) => forever(socket, message("R", int32(0))),
  "65,535 columns": onceSignedIn(columns(65_535)),
  "columns that are announced and do not come": onceSignedIn(message("T", int16(1_000), "c\0")),
  "a column's name without end": onceSignedIn(message("T", int16(1), "c".repeat(100_000))),
  "a row that nobody described": onceSignedIn(message("D", int16(1), int32(4), "text")),
  "a row with a value longer than itself": onceSignedIn(
    Buffer.concat([columns(1), message("D", int16(1), int32(1_000_000), "text")]),
  ),
  "a row with a value of negative length": onceSignedIn(
    Buffer.concat([columns(1), message("D", int16(1), int32(-2_000_000_000))]),
  ),
  "copying in": onceSignedIn(message("G", "\0", int16(0))),
  "copying out": onceSignedIn(message("H", "\0", int16(0))),
  "copying both ways": onceSignedIn(message("W", "\0", int16(0))),
  "a message of length zero": onceSignedIn(Buffer.from([0x43, 0, 0, 0, 0])),
  "a message of four gigabytes": onceSignedIn(Buffer.from([0x43, 0xff, 0xff, 0xff, 0xff])),
  "parameters beyond the message": onceSignedIn(message("t", int16(60_000))),
  "notices without end": (socket) => {
    socket.write(signedIn);
    forever(socket, message("N", "SNOTICE\0Mhello\0\0"));
  },
  "readiness without end": (socket) => forever(socket, Buffer.concat([signedIn, message("Z", "I")])),
  "rows without end": (socket) => {
    socket.write(signedIn);
    socket.once("data", () => {
      socket.write(columns(1));
      forever(socket, message("D", int16(1), int32(1), "x"));
    });
  },
};
