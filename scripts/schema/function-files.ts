import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** One function of the database: a file of `supabase/sql/<subject>/`. */
export interface FunctionFile {
  subject: string;
  /** From the folder of the files, such as `runs/find-runs.sql`. */
  path: string;
  /** What the file creates, such as `public.studio_point(uuid, text, integer)`. */
  signature: string;
  /** Who may call it, beside the functions that run with its rights. */
  callers: string[];
  /** What stands above it, without comment marks; empty where it needs no words. */
  summary: string;
  text: string;
}

const grant = /^select private\.studio_grant_calls\('([^']+)'((?:, '\w+')*)\);$/m;

/** The functions below a folder, by subject and name. Throws for a file that does not end by saying who may call it. */
export function readFunctionFiles(folder: string): FunctionFile[] {
  const subjects = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return subjects
    .map(({ name }) => name)
    .toSorted()
    .flatMap((subject) =>
      readdirSync(join(folder, subject))
        .toSorted()
        .map((file) => readFunctionFile(folder, subject, file)),
    );
}

function readFunctionFile(folder: string, subject: string, file: string): FunctionFile {
  const path = `${subject}/${file}`;
  const text = readFileSync(join(folder, subject, file), "utf8");
  const [, signature, roles] = grant.exec(text) ?? [];
  if (signature === undefined || roles === undefined) {
    throw new Error(
      `${path} does not say who may call its function. End it with: select private.studio_grant_calls('<signature>', '<role>');`,
    );
  }
  const summary = /^(?:--.*\n)*/.exec(text)?.[0] ?? "";
  return {
    subject,
    path,
    signature,
    callers: [...roles.matchAll(/'(\w+)'/g)].map(([, role = ""]) => role),
    summary: summary.replace(/^-- ?/gm, "").trim(),
    text,
  };
}
