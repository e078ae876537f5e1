import { expect, test } from "vitest";
import type { Json } from "../json.ts";
import { isMessage, messageLine } from "./attachments.ts";

const file = { $file: "00000000-0000-4000-8000-000000000001", name: "report.pdf" };

test.each<[Json, string | undefined]>([
  [{ message: "Hi", files: [file] }, "Hi"],
  [{ message: " ", files: [file, { name: "\u202egnp.exe" }] }, "report.pdf, \ufffdgnp.exe"],
  [{ files: [file] }, "report.pdf"],
  [{ message: "", images: ["https://example.com/a.png"] }, "1 file"],
  [{ message: "", images: ["https://example.com/a.png"], files: [{}] }, "2 files"],
  [{ message: "" }, undefined],
  [{ message: "", images: [], files: [] }, undefined],
  [{ message: 1, files: [file] }, undefined],
  [{}, undefined],
  ["Hi", undefined],
])("%j is the message %j", (input, line) => {
  expect(messageLine(input)).toBe(line);
  expect(isMessage(input)).toBe(line !== undefined);
});
