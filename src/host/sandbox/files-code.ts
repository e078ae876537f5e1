/** Runs inside the sandbox when code first uses `files`: reads and makes files by functions of the host. */
export const filesCode = String.raw`(function ({ parse, stringify, readFile, makeFile, startWork }) {
  const isFile = (value) => typeof value === "object" && value !== null && typeof value.$file === "string";
  const bytesOf = (value) => {
    if (typeof value === "string") return new TextEncoder().encode(value);
    if (value instanceof ArrayBuffer) return new Uint8Array(value);
    if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    throw new TypeError("The content of a file is a text, a Uint8Array or an ArrayBuffer.");
  };
  const bufferOf = (value) => {
    const bytes = bytesOf(value);
    return bytes.byteLength === bytes.buffer.byteLength ? bytes.buffer : bytes.slice().buffer;
  };
  const read = (file) => {
    const answer = readFile(isFile(file) ? file.$file : "");
    if (typeof answer === "string") throw new Error(answer);
    return new Uint8Array(answer);
  };
  const make = (name, content, mediaType) => {
    const answer = parse(makeFile(String(name), String(mediaType ?? ""), bufferOf(content)));
    if (typeof answer === "string") throw new Error(answer);
    return answer;
  };
  const named = (file) => (isFile(file) ? file.name : "text.csv");
  const work = async (task, contents) => {
    const { text, buffers } = await startWork(stringify(task), ...contents.map(bufferOf));
    const answer = parse(text);
    if (typeof answer === "string") throw new Error(answer);
    return { answer, buffers };
  };
  const tables = async (file) => {
    const content = isFile(file) ? read(file) : file;
    return (await work({ do: "tables", name: named(file) }, [content])).answer;
  };
  const rows = async (file) => {
    const [{ rows: [header = [], ...cells] } = { rows: [] }] = await tables(file);
    const width = cells.reduce((most, row) => Math.max(most, row.length), header.length);
    const names = [];
    for (let index = 0; index < width; index += 1) {
      const plain = String(header[index] ?? "").trim() || "Column " + (index + 1);
      let free = plain;
      for (let number = 2; names.includes(free); number += 1) free = plain + " " + number;
      names.push(free);
    }
    return cells.map((row) => Object.fromEntries(names.map((name, index) => [name, row[index] ?? null])));
  };
  const makeTable = async (name, content) => {
    const { buffers } = await work({ do: "make-table", name: String(name), content }, []);
    return make(name, buffers[0]);
  };
  const zip = async (name, list) => {
    const entries = [...list].map((entry) => {
      if (isFile(entry)) return { name: entry.name, content: read(entry) };
      return { name: String(entry.name), content: bytesOf(entry.content ?? entry.bytes) };
    });
    const task = { do: "zip", names: entries.map((entry) => entry.name) };
    const { buffers } = await work(task, entries.map((entry) => entry.content));
    return make(name, buffers[0]);
  };
  const unzip = async (file) => {
    const { answer, buffers } = await work({ do: "unzip" }, [isFile(file) ? read(file) : file]);
    return answer.map((name, index) => ({ name, bytes: new Uint8Array(buffers[index]) }));
  };
  const text = (file) => new TextDecoder().decode(read(file));
  return { files: Object.freeze({ read, text, make, tables, rows, makeTable, zip, unzip }) };
})`;
