import type { Made } from "./made.ts";
import type { NodeWork } from "./node-work.ts";

/** Files are read and encoded whole. */
const limits = { memoryMb: 128, timeoutMs: 30_000 };

/** The first bytes of common files, as n8n tells a file's type where nobody says it. */
const knownFiles = `const known = [
  ["png", "image/png", [137, 80, 78, 71]],
  ["jpg", "image/jpeg", [255, 216, 255]],
  ["gif", "image/gif", [71, 73, 70, 56]],
  ["webp", "image/webp", [82, 73, 70, 70, , , , , 87, 69, 66, 80]],
  ["wav", "audio/wav", [82, 73, 70, 70, , , , , 87, 65, 86, 69]],
  ["mp3", "audio/mpeg", [73, 68, 51]],
  ["pdf", "application/pdf", [37, 80, 68, 70]],
  ["zip", "application/zip", [80, 75, 3, 4]],
];`;

/** A text of the input as a file: base64, or as it is. */
export function fileOfText(work: NodeWork): Made {
  work.drop("binaryPropertyName", "The output has one file.");
  const path = work.at("sourceProperty") ?? "data";
  const name = work.at("options", "fileName") ?? "";
  const type = work.at("options", "mimeType") ?? "";
  const isPlain = work.at("options", "dataIsBase64") === false;
  const read = `const text = path.split(/[.[\\]"']+/).filter(Boolean).reduce((value, key) => value?.[key], json);
if (typeof text !== "string") throw new Error("There is no text in “" + path + "”.");`;
  const code = isPlain
    ? `${read}\nreturn { file: files.make(name || "file.txt", text, type || "text/plain") };`
    : `${read}
${knownFiles}
const [, said = "", data] = /^(?:data:([^;,]*)[^,]*,)?([^]*)$/.exec(text);
const bytes = Uint8Array.from(atob(data.replace(/\\s/g, "").replace(/-/g, "+").replace(/_/g, "/")), (one) => one.charCodeAt(0));
const [ending, kind] = known.find(([, , first]) => first.every((byte, at) => bytes[at] === byte)) ?? ["bin", ""];
return { file: files.make(name || "file." + ending, bytes, type || said || (name ? "" : kind)) };`;
  const inputs = { path: work.textOf(path), name: work.textOf(name), type: work.textOf(type) };
  return { type: "code", config: { code, inputs, ...limits } };
}

/** The bytes of the file that comes in, as base64 under n8n's name of it. */
export function textOfFile(work: NodeWork): Made {
  const inputs = {
    file: work.file("binaryPropertyName"),
    key: work.textOf(work.at("destinationKey") ?? "data") || "data",
  };
  const code = `const bytes = files.read(file);
let text = "";
for (let at = 0; at < bytes.length; at += 12288) text += btoa(String.fromCharCode(...bytes.subarray(at, at + 12288)));
return { [key]: text };`;
  return { type: "code", config: { code, inputs, ...limits } };
}
