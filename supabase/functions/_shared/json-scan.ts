import { parseLosslessJson } from "../../../src/engine/lossless-json.ts";

/** Levels of lists and objects; deeper ones would end the stack of what checks them. */
export const maxJsonDepth = 500;

/** Values that a request may hold. A short text can make a parser fill the memory: `[],` takes 3 bytes and becomes a list. */
export const maxJsonValues = 100_000;

/** The most that JSON may hold. */
export interface JsonLimits {
  depth: number;
  values: number;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;

/**
 * Counts levels and values of JSON by its bytes (UTF-8), piece by piece and before anything is parsed. The text need not be
 * valid; of valid text a list or an object counts one, and each comma one more.
 */
export class JsonScan {
  readonly #limits: JsonLimits;
  #depth = 0;
  #values = 0;
  #inText = false;
  #escaped = false;

  constructor(limits: JsonLimits) {
    this.#limits = limits;
  }

  /** Reads on, in bytes or in characters; says what is exceeded, if anything. */
  read(piece: Uint8Array | string): "depth" | "values" | null {
    for (let at = 0; at < piece.length; at += 1) {
      const byte = typeof piece === "string" ? piece.charCodeAt(at) : piece[at];
      if (this.#inText) {
        if (this.#escaped) this.#escaped = false;
        else if (byte === backslash) this.#escaped = true;
        else if (byte === quote) this.#inText = false;
        continue;
      }
      switch (byte) {
        case quote:
          this.#inText = true;
          break;
        case comma:
          this.#values += 1;
          break;
        case 0x5b: // [
        case 0x7b: // {
          this.#depth += 1;
          this.#values += 1;
          if (this.#depth > this.#limits.depth) return "depth";
          break;
        case 0x5d: // ]
        case 0x7d: // }
          this.#depth -= 1;
      }
      if (this.#values > this.#limits.values) return "values";
    }
    return null;
  }
}

/** JSON that holds more than may be parsed. */
export class JsonLimitError extends Error {
  override readonly name = "JsonLimitError";
}

/** Lossless JSON for text of others. Throws a JsonLimitError for what would fill the memory, and a SyntaxError as ever. */
export function parseJson(text: string): unknown {
  const exceeded = new JsonScan({ depth: maxJsonDepth, values: maxJsonValues }).read(text);
  if (exceeded !== null) throw new JsonLimitError(`The JSON exceeds its limit of ${exceeded}.`);
  return parseLosslessJson(text);
}
