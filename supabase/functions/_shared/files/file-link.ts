import { fileIdsIn, mapFiles } from "../../../../src/engine/file/file.ts";
import type { Json } from "../../../../src/engine/json.ts";
import { isTicket, makeTicket } from "../browser-ticket.ts";
import type { FunctionEnvironment } from "../function-environment.ts";

/** How long a link to a file lasts, in seconds. */
export const fileLinkSeconds = { api: 3_600, chat: 12 * 3_600 } as const;

/** A file of a run, as a link names it. */
interface LinkedFile {
  run: string;
  file: string;
}

/** How a link looks, whether or not it is good: run, file, its end in seconds since 1970, and the proof that it was made here. */
const form = /^([0-9a-f-]{36})\.([0-9a-f-]{36})\.(\d{1,12})\.([A-Za-z0-9_-]{43}\.[A-Za-z0-9_-]{43})$/;

/** Whether a text may be the end of a link's address. */
export const isFileLink = (link: string): boolean => form.test(link);

/** The address of a file of a run, for whoever has it and as long as it lasts. It opens what the run holds and nothing else. */
export async function makeFileLink(
  { run, file }: LinkedFile,
  { serviceRoleKey }: Pick<FunctionEnvironment, "serviceRoleKey">,
  seconds: number,
  now = Date.now(),
): Promise<string> {
  const until = String(Math.floor(now / 1_000) + seconds);
  return `/api/files/${run}.${file}.${until}.${await makeTicket("file", `${run} ${file} ${until}`, serviceRoleKey)}`;
}

/** What a link leads to; null for one that was not made here or has ended. */
export async function readFileLink(
  link: string,
  { serviceRoleKey }: Pick<FunctionEnvironment, "serviceRoleKey">,
  now = Date.now(),
): Promise<LinkedFile | null> {
  const [, run = "", file = "", until = "", ticket = ""] = form.exec(link) ?? [];
  if (Number(until) * 1_000 < now) return null;
  return (await isTicket(ticket, "file", `${run} ${file} ${until}`, serviceRoleKey)) ? { run, file } : null;
}

/** A value of a run in which each file has the `url` of a link, which begins with `base`. */
export async function withFileLinks(
  value: Json,
  run: string,
  environment: Pick<FunctionEnvironment, "serviceRoleKey">,
  seconds: number,
  base = "",
): Promise<Json> {
  const links = new Map<string, string>();
  for (const file of fileIdsIn(value))
    links.set(file, base + (await makeFileLink({ run, file }, environment, seconds)));
  return links.size === 0 ? value : mapFiles(value, (file) => ({ ...file, url: links.get(file.$file) ?? "" }));
}
