import { Buffer } from "node:buffer";
import { TooMuchDataError } from "../_shared/open-socket.ts";

/** The server says something that no Postgres says, or asks for more work than any asks for. */
export class ProtocolError extends Error {
  override readonly name = "ProtocolError";
}

/** The server wants the password itself, and anybody on the way could read it. */
export class PlainPasswordError extends Error {
  override readonly name = "PlainPasswordError";
}

/** Postgres allows 1,664 columns in a result. */
const maxColumns = 1_664;
/** Names have 63 bytes in Postgres, up to 127 in databases that speak its protocol. */
const maxNameBytes = 512;
/** A row or a value may be long, everything else is short. */
const maxRowBytes = 32 * 1024 * 1024;
const maxMessageBytes = 1024 * 1024;
/** Messages besides rows, on one connection: a result of 10,000 rows takes some hundred. */
const maxMessages = 50_000;
/** Rows without a pause; the driver asks for 100 at a time. */
const maxRowsAtOnce = 1_000;
/** Steps of signing in; none takes more than four. */
const maxSignInSteps = 8;
/** Postgres' default is 4,096. Each 100,000 keep the processor for some 60 ms. */
const maxIterations = 100_000;

const headerBytes = 5;
const columnBytes = 18;

/**
 * Reads what a Postgres server sends (protocol 3.0, "Message Formats") before the driver does, which believes every length and
 * number. Whole messages pass; notices and notifications, which nobody reads, do not.
 */
export class MessageChecker {
  #pieces: Buffer[] = [];
  #size = 0;
  /** Bytes without which the next message is not complete. */
  #wanted = headerBytes;
  #messages = 0;
  #rowsAtOnce = 0;
  #columns: number | undefined;
  #signInSteps = 0;
  #isSignedIn = false;
  readonly #isEncrypted: boolean;

  constructor(isEncrypted: boolean) {
    this.#isEncrypted = isEncrypted;
  }

  /**
   * The complete messages with what came before. Throws a ProtocolError, a PlainPasswordError or a TooMuchDataError; what comes
   * after cannot be read.
   */
  read(piece: Buffer): Buffer[] {
    this.#pieces.push(piece);
    this.#size += piece.length;
    if (this.#size < this.#wanted) return [];
    const bytes = this.#pieces.length === 1 ? piece : Buffer.concat(this.#pieces);
    const passed: Buffer[] = [];
    let at = 0;
    // Messages in a row go on in one piece.
    let from = 0;
    this.#wanted = headerBytes;
    while (bytes.length - at >= headerBytes) {
      const type = bytes.toString("latin1", at, at + 1);
      const length = 1 + bodyLength(bytes.readUInt32BE(at + 1), type);
      if (bytes.length - at < length) {
        this.#wanted = length;
        break;
      }
      const isRead = this.#check(type, bytes.subarray(at + headerBytes, at + length));
      if (!isRead) {
        if (at > from) passed.push(bytes.subarray(from, at));
        from = at + length;
      }
      at += length;
    }
    if (at > from) passed.push(bytes.subarray(from, at));
    this.#pieces = at === bytes.length ? [] : [bytes.subarray(at)];
    this.#size = bytes.length - at;
    return passed;
  }

  /** Whether the driver has a use for the message. */
  #check(type: string, body: Buffer): boolean {
    if (type === "D") {
      this.#checkRow(body);
      return true;
    }
    this.#messages += 1;
    if (this.#messages > maxMessages) throw new ProtocolError("Messages without end.");
    switch (type) {
      case "N":
      case "A":
        return false;
      case "R":
        this.#checkSignIn(body);
        return true;
      case "T":
        this.#columns = countColumns(body);
        return true;
      case "t":
        if (body.length < 2 || body.length !== 2 + body.readUInt16BE(0) * 4) throw new ProtocolError("Parameters.");
        return true;
      case "K":
        if (body.length !== 8) throw new ProtocolError("A key of another length.");
        return true;
      case "Z":
        if (body.length !== 1) throw new ProtocolError("A state of another length.");
        this.#isSignedIn = true;
        this.#rowsAtOnce = 0;
        return true;
      case "C":
      case "s":
        this.#rowsAtOnce = 0;
        return this.#afterSignIn();
      case "n":
        this.#columns = 0;
        return this.#afterSignIn();
      case "1":
      case "2":
      case "3":
      case "I":
        return this.#afterSignIn();
      case "S":
      case "E":
        return true;
      default:
        // Among them copying, which the driver answers with a stream that nobody reads.
        throw new ProtocolError("A message that nobody asked for.");
    }
  }

  #afterSignIn(): true {
    if (!this.#isSignedIn) throw new ProtocolError("An answer before signing in.");
    return true;
  }

  #checkRow(body: Buffer): void {
    this.#rowsAtOnce += 1;
    if (this.#rowsAtOnce > maxRowsAtOnce) throw new ProtocolError("Rows that nobody asked for.");
    if (body.length < 2 || body.readUInt16BE(0) !== this.#columns) throw new ProtocolError("A row of another shape.");
    let at = 2;
    for (let column = 0; column < this.#columns; column += 1) {
      if (at + 4 > body.length) throw new ProtocolError("A row that is too short.");
      const length = body.readInt32BE(at);
      if (length < -1) throw new ProtocolError("A value of that length.");
      at += 4 + Math.max(0, length);
    }
    if (at !== body.length) throw new ProtocolError("A row of another length.");
  }

  #checkSignIn(body: Buffer): void {
    this.#signInSteps += 1;
    if (this.#isSignedIn || this.#signInSteps > maxSignInSteps) throw new ProtocolError("Signing in again.");
    if (body.length < 4) throw new ProtocolError("A step of signing in that is too short.");
    switch (body.readUInt32BE(0)) {
      case 0:
      case 12:
        return;
      case 3:
        if (!this.#isEncrypted) throw new PlainPasswordError("The password in clear text.");
        return;
      case 5:
        if (body.length !== 8) throw new ProtocolError("A salt of another length.");
        return;
      case 10:
        if (!body.toString("latin1", 4).split("\0").includes("SCRAM-SHA-256")) throw new ProtocolError("No SCRAM.");
        return;
      case 11:
        return checkChallenge(body.toString("utf8", 4));
      default:
        throw new ProtocolError("A way to sign in that is not known.");
    }
  }
}

function bodyLength(length: number, type: string): number {
  if (length < 4) throw new ProtocolError("A message of that length.");
  if (type === "D" && length > maxRowBytes) throw new TooMuchDataError("A row that is too long.");
  if (type !== "D" && length > maxMessageBytes) throw new ProtocolError("A message that is too long.");
  return length;
}

function countColumns(body: Buffer): number {
  if (body.length < 2) throw new ProtocolError("Columns without a number.");
  const columns = body.readUInt16BE(0);
  if (columns > maxColumns) throw new ProtocolError("More columns than Postgres has.");
  let at = 2;
  for (let column = 0; column < columns; column += 1) {
    const end = body.indexOf(0, at);
    if (end === -1 || end - at > maxNameBytes) throw new ProtocolError("A column's name without end.");
    at = end + 1 + columnBytes;
  }
  if (at !== body.length) throw new ProtocolError("Columns of another length.");
  return columns;
}

/** SCRAM's server-first-message (RFC 5802 §7): `r=<nonce>,s=<salt>,i=<iterations>`. */
function checkChallenge(text: string): void {
  const [, salt = "", iterations = ""] =
    /^r=[\x21-\x2b\x2d-\x7e]{18,256},s=([A-Za-z0-9+/=]{4,1024}),i=(\d{1,10})$/.exec(text) ?? [];
  if (salt === "") throw new ProtocolError("A challenge that cannot be read.");
  if (Number(iterations) < 1 || Number(iterations) > maxIterations) throw new ProtocolError("Too many iterations.");
}
