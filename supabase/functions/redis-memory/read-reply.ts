import { Buffer } from "node:buffer";
import { TooMuchDataError } from "../_shared/open-socket.ts";

/** What Redis answers to one command (RESP version 2). An error of Redis is a value, since a transaction may hold some. */
export type Reply = string | number | null | RedisError | readonly Reply[];

/** An error that Redis answered with; its message begins with Redis's word for it, such as `WRONGTYPE`. */
export class RedisError extends Error {
  override name = "RedisError";
}

/** The server says something that no Redis says. */
export class ReplyError extends Error {
  override name = "ReplyError";
}

const lineEnd = Buffer.from("\r\n");
const maxLineBytes = 64 * 1024;
/** As long as everything that one connection may receive. */
const maxTextBytes = 32 * 1024 * 1024;
/** Values of one answer, those inside lists included. What is announced is not believed: nothing is made ready for it. */
const maxValues = 200_000;
/** The results of a transaction, a result that is a list, its items. */
const maxDepth = 4;

interface OpenList {
  items: Reply[];
  left: number;
}

/**
 * Reads answers from pieces as they arrive. A server may be anyone's, so it decides neither about memory nor about the stack:
 * long texts are put together once, lists grow with what came.
 */
export class ReplyReader {
  #pieces: Buffer[] = [];
  #size = 0;
  /** Bytes without which there is nothing to read. */
  #wanted = 1;
  /** Length of the text that comes now, without its line end; undefined between texts. */
  #text: number | undefined;
  #lists: OpenList[] = [];
  #values = 0;

  /** The answers that are complete now. Throws a ReplyError or a TooMuchDataError; what comes after cannot be read. */
  push(piece: Buffer): Reply[] {
    this.#pieces.push(piece);
    this.#size += piece.length;
    const replies: Reply[] = [];
    while (this.#size >= this.#wanted) {
      const buffer = this.#joined();
      const taken = this.#text === undefined ? this.#line(buffer, replies) : this.#textOf(buffer, this.#text, replies);
      this.#pieces = [buffer.subarray(taken)];
      this.#size -= taken;
    }
    return replies;
  }

  #joined(): Buffer {
    const [first] = this.#pieces;
    return this.#pieces.length === 1 && first !== undefined ? first : Buffer.concat(this.#pieces);
  }

  /** Reads one line; how many bytes it took. */
  #line(buffer: Buffer, replies: Reply[]): number {
    const end = buffer.indexOf(lineEnd);
    if (end > maxLineBytes || (end === -1 && buffer.length > maxLineBytes)) throw new ReplyError("A long line.");
    if (end === -1) {
      this.#wanted = buffer.length + 1;
      return 0;
    }
    this.#wanted = 1;
    const rest = buffer.toString("utf8", 1, end);
    switch (buffer.toString("latin1", 0, 1)) {
      case "+":
        this.#add(rest, replies);
        break;
      case "-":
        this.#add(new RedisError(rest), replies);
        break;
      case ":":
        this.#add(wholeNumber(rest), replies);
        break;
      case "$":
        this.#begin(wholeNumber(rest), replies);
        break;
      case "*":
        this.#open(wholeNumber(rest), replies);
        break;
      default:
        throw new ReplyError("No answer of Redis.");
    }
    return end + lineEnd.length;
  }

  #begin(length: number, replies: Reply[]): void {
    if (length === -1) return this.#add(null, replies);
    if (length < 0) throw new ReplyError("A text of that length.");
    if (length > maxTextBytes) throw new TooMuchDataError("A text that is too long.");
    this.#text = length;
    this.#wanted = length + lineEnd.length;
  }

  #textOf(buffer: Buffer, length: number, replies: Reply[]): number {
    if (!buffer.subarray(length, length + lineEnd.length).equals(lineEnd)) throw new ReplyError("A text without end.");
    this.#text = undefined;
    this.#wanted = 1;
    this.#add(buffer.toString("utf8", 0, length), replies);
    return length + lineEnd.length;
  }

  #open(length: number, replies: Reply[]): void {
    if (length === -1) return this.#add(null, replies);
    if (length === 0) return this.#add([], replies);
    if (length < 0 || this.#lists.length >= maxDepth) throw new ReplyError("A list like that.");
    if (length > maxValues) throw new TooMuchDataError("A list that is too long.");
    this.#lists.push({ items: [], left: length });
  }

  #add(value: Reply, replies: Reply[]): void {
    let complete = value;
    for (let list = this.#lists.at(-1); list !== undefined; list = this.#lists.at(-1)) {
      this.#values += 1;
      if (this.#values > maxValues) throw new TooMuchDataError("Too many values.");
      list.items.push(complete);
      list.left -= 1;
      if (list.left > 0) return;
      this.#lists.pop();
      complete = list.items;
    }
    this.#values = 0;
    replies.push(complete);
  }
}

function wholeNumber(text: string): number {
  const number = /^-?\d{1,19}$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(number)) throw new ReplyError("No number.");
  return number;
}
