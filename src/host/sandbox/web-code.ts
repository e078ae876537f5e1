import { callCode } from "./call-code.ts";

/** Runs inside the sandbox when code first needs it: what browsers and Node have beside the language, and models write. */
export const webCode = String.raw`(function ({ set, ask, parse, stringify }) {
  ${callCode}
  const pairsOf = (init) => {
    if (init === undefined || init === null) return [];
    if (typeof init !== "object") return call("query", String(init));
    if (init instanceof URLSearchParams) return [...init];
    if (typeof init[Symbol.iterator] !== "function") return Object.entries(init).map(([name, value]) => [name, String(value)]);
    return [...init].map((pair) => {
      const [name, value, ...more] = pair;
      if (value === undefined || more.length > 0) throw new TypeError("Each entry needs a name and a value.");
      return [String(name), String(value)];
    });
  };
  class URLSearchParams {
    #pairs; #changed;
    constructor(init, changed) { this.#pairs = pairsOf(init); this.#changed = changed; }
    #change(pairs) { this.#pairs = pairs; this.#changed?.(this.toString()); }
    get size() { return this.#pairs.length; }
    append(name, value) { this.#change([...this.#pairs, [String(name), String(value)]]); }
    delete(name, value) {
      this.#change(this.#pairs.filter(([key, held]) => key !== String(name) || (value !== undefined && held !== String(value))));
    }
    get(name) { return this.#pairs.find(([key]) => key === String(name))?.[1] ?? null; }
    getAll(name) { return this.#pairs.filter(([key]) => key === String(name)).map(([, value]) => value); }
    has(name, value) {
      return this.#pairs.some(([key, held]) => key === String(name) && (value === undefined || held === String(value)));
    }
    set(name, value) {
      const first = this.#pairs.findIndex(([key]) => key === String(name));
      if (first === -1) return this.append(name, value);
      this.#change(this.#pairs.flatMap((pair, index) =>
        index === first ? [[pair[0], String(value)]] : pair[0] === String(name) ? [] : [pair]));
    }
    sort() { this.#change(this.#pairs.toSorted(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0))); }
    forEach(each, self) { for (const [name, value] of this.#pairs) each.call(self, value, name, this); }
    *entries() { for (const [name, value] of this.#pairs) yield [name, value]; }
    *keys() { for (const [name] of this.#pairs) yield name; }
    *values() { for (const [, value] of this.#pairs) yield value; }
    [Symbol.iterator]() { return this.entries(); }
    toString() { return call("queryText", this.#pairs); }
    static read(params, search) { params.#pairs = call("query", search); }
  }
  const { read } = URLSearchParams;
  delete URLSearchParams.read;

  class URL {
    #parts; #params;
    constructor(href, base) { this.#parts = call("url", String(href), base === undefined ? null : String(base)); }
    static canParse(href, base) { return URL.parse(href, base) !== null; }
    static parse(href, base) { try { return new URL(href, base); } catch { return null; } }
    static part(url, name) { return url.#parts[name]; }
    static change(url, name, value) {
      url.#parts = call("url", url.#parts.href, null, name, value);
      if (url.#params !== undefined && (name === "search" || name === "href")) read(url.#params, url.#parts.search);
    }
    get searchParams() {
      return (this.#params ??= new URLSearchParams(this.#parts.search, (search) => {
        this.#parts = call("url", this.#parts.href, null, "search", search);
      }));
    }
    toString() { return this.#parts.href; }
    toJSON() { return this.#parts.href; }
  }
  const { part, change } = URL;
  delete URL.part;
  delete URL.change;
  for (const name of ["href", "protocol", "username", "password", "host", "hostname", "port", "pathname", "search", "hash"])
    Object.defineProperty(URL.prototype, name, {
      configurable: true, enumerable: true,
      get() { return part(this, name); },
      set(value) {
        if (name === "href") call("url", String(value), null);
        change(this, name, String(value));
      },
    });
  Object.defineProperty(URL.prototype, "origin", { configurable: true, enumerable: true, get() { return part(this, "origin"); } });

  class TextEncoder {
    get encoding() { return "utf-8"; }
    encode(text = "") {
      const binary = unescape(encodeURIComponent(String(text).toWellFormed()));
      const bytes = new Uint8Array(binary.length);
      for (let index = 0; index < binary.length; index += 1) bytes[index] = binary.charCodeAt(index);
      return bytes;
    }
    encodeInto(text, target) {
      let read = 0, written = 0;
      for (const character of String(text)) {
        const bytes = this.encode(character);
        if (written + bytes.length > target.length) break;
        target.set(bytes, written);
        written += bytes.length;
        read += character.length;
      }
      return { read, written };
    }
  }
  const binaryOf = (value) => {
    if (value === undefined) return "";
    if (!ArrayBuffer.isView(value) && !(value instanceof ArrayBuffer)) throw new TypeError("Bytes are needed, such as a Uint8Array.");
    const bytes = ArrayBuffer.isView(value) ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength) : new Uint8Array(value);
    const pieces = [];
    for (let start = 0; start < bytes.length; start += 1024) pieces.push(String.fromCharCode(...bytes.subarray(start, start + 1024)));
    return pieces.join("");
  };
  class TextDecoder {
    #label; #options; #open = "";
    constructor(label = "utf-8", options = {}) {
      this.#options = [options.fatal === true, options.ignoreBOM === true];
      this.#label = call("decode", "", String(label), false, false, false)[0];
    }
    get encoding() { return this.#label; }
    get fatal() { return this.#options[0]; }
    get ignoreBOM() { return this.#options[1]; }
    decode(bytes, { stream = false } = {}) {
      const read = (binary, isOpen) => call("decode", binary, this.#label, ...this.#options, isOpen)[1];
      const before = this.#open;
      const all = before + binaryOf(bytes);
      this.#open = stream ? all : "";
      // What was decoded before is decoded again, so that a character may be cut anywhere.
      return read(all, stream).slice(before === "" ? 0 : read(before, true).length);
    }
  }

  const kindOf = (value) => Object.prototype.toString.call(value).slice(8, -1);
  const standardErrors = { EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError };
  const copy = (value, seen) => {
    if (typeof value === "function" || typeof value === "symbol")
      throw failed("DataCloneError", String(value).slice(0, 100) + " could not be cloned.");
    if (typeof value !== "object" || value === null) return value;
    if (seen.has(value)) return seen.get(value);
    const keep = (made) => { seen.set(value, made); return made; };
    if (value instanceof Date) return keep(new Date(value.getTime()));
    if (value instanceof RegExp) return keep(new RegExp(value.source, value.flags));
    if (value instanceof ArrayBuffer) return keep(value.slice(0));
    if (ArrayBuffer.isView(value)) {
      const buffer = copy(value.buffer, seen);
      return keep(new value.constructor(buffer, value.byteOffset, value instanceof DataView ? value.byteLength : value.length));
    }
    if (value instanceof Boolean || value instanceof Number || value instanceof String) return keep(Object(value.valueOf()));
    if (value instanceof Map) {
      const made = keep(new Map());
      for (const [key, held] of [...value]) made.set(copy(key, seen), copy(held, seen));
      return made;
    }
    if (value instanceof Set) {
      const made = keep(new Set());
      for (const held of [...value]) made.add(copy(held, seen));
      return made;
    }
    if (value instanceof Error) {
      const name = String(value.name);
      const made = keep(new (Object.hasOwn(standardErrors, name) ? standardErrors[name] : Error)(value.message));
      if ("cause" in value) made.cause = copy(value.cause, seen);
      return made;
    }
    if (/^(Promise|Weak|Generator|Async)/.test(kindOf(value))) throw failed("DataCloneError", "A " + kindOf(value) + " could not be cloned.");
    const made = keep(Array.isArray(value) ? new Array(value.length) : {});
    for (const key of Object.keys(value))
      Object.defineProperty(made, key, { value: copy(value[key], seen), writable: true, enumerable: true, configurable: true });
    return made;
  };

  const random = (bytes) => {
    for (let start = 0; start < bytes.length; start += 4096) {
      const binary = call("random", String(Math.min(4096, bytes.length - start)));
      for (let index = 0; index < binary.length; index += 1) bytes[start + index] = binary.charCodeAt(index);
    }
    return bytes;
  };
  const crypto = {};
  set(crypto, "getRandomValues", (view) => {
    if (!ArrayBuffer.isView(view) || /Float|DataView/.test(kindOf(view)))
      throw failed("TypeMismatchError", "getRandomValues fills arrays of integers, such as a Uint8Array.");
    if (view.byteLength > 65536) throw failed("QuotaExceededError", "getRandomValues fills 65536 bytes at once at most.");
    random(new Uint8Array(view.buffer, view.byteOffset, view.byteLength));
    return view;
  });
  set(crypto, "randomUUID", () => {
    const bytes = random(new Uint8Array(16));
    bytes[6] = (bytes[6] & 15) | 64;
    bytes[8] = (bytes[8] & 63) | 128;
    const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  });

  return {
    URL, URLSearchParams, TextEncoder, TextDecoder, crypto,
    btoa: (text) => call("btoa", String(text)),
    atob: (text) => call("atob", String(text)),
    structuredClone: (value) => copy(value, new Map()),
  };
})`;
