import { z } from "zod/mini";
import { doWork } from "../../documents/do-work.ts";
import type { DocumentWork, NamedBytes } from "../../engine/file/documents.ts";
import type { Json } from "../../engine/json.ts";

const taskSchema = z.discriminatedUnion("do", [
  z.object({ do: z.literal("tables"), name: z.string() }),
  z.object({ do: z.literal("make-table"), name: z.string(), content: z.json() }),
  z.object({ do: z.literal("zip"), names: z.array(z.string()) }),
  z.object({ do: z.literal("unzip") }),
]);

/** What came of it: data, or why nothing did as a text; and bytes. */
export interface WorkedFiles {
  answer: Json;
  buffers: readonly Uint8Array[];
}

/** Work on files for code in the sandbox: tables, archives. Never rejects. */
export async function workOnFiles(taskText: string, contents: readonly Uint8Array[]): Promise<WorkedFiles> {
  const task = taskSchema.safeParse(JSON.parse(taskText));
  if (!task.success) return { answer: "The content cannot be written as JSON.", buffers: [] };
  const work = workFor(task.data, contents);
  if (typeof work === "string") return { answer: work, buffers: [] };
  const done = await doWork(work);
  if (!done.ok) return { answer: `${done.message} ${done.hint}`, buffers: [] };
  if (work.do === "read") {
    const tables = done.document?.tables ?? [];
    return { answer: tables.map(({ name, rows }) => ({ name, rows: rows.map((row) => [...row]) })), buffers: [] };
  }
  return { answer: done.files.map(({ name }) => name), buffers: done.files.map(({ bytes }) => bytes) };
}

function workFor(task: z.infer<typeof taskSchema>, contents: readonly Uint8Array[]): DocumentWork | string {
  const file = (name: string, index = 0): NamedBytes => ({
    name,
    mediaType: "",
    bytes: contents[index] ?? new Uint8Array(),
  });
  switch (task.do) {
    case "tables": {
      const kind = endingOf(task.name);
      if (kind === "csv" || kind === "xlsx" || kind === "ods") return { do: "read", file: file(task.name), kind };
      return `"${task.name}" has no tables that can be read here. Use a CSV, XLSX or ODS file.`;
    }
    case "make-table": {
      const format = endingOf(task.name);
      if (format === "csv" || format === "xlsx") return { do: "make", format, name: task.name, content: task.content };
      return `A table is made as .csv or .xlsx, and "${task.name}" is neither.`;
    }
    case "zip":
      return { do: "zip", name: "archive.zip", files: task.names.map((name, index) => file(name, index)) };
    case "unzip":
      return { do: "unzip", file: file("archive.zip") };
    default:
      return task satisfies never;
  }
}

function endingOf(name: string): string {
  const ending = /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? "";
  return ending === "tsv" ? "csv" : ending;
}
