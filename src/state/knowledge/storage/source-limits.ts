import { maxTextLength } from "../../../documents/limits.ts";
import { ServiceError } from "../../../services/services.ts";

/** Bytes of one file. */
export const largestFile = 50 * 1024 * 1024;
/** Bytes of one document's sections as JSON; the database refuses 32 MiB, with some spaces of its own. */
export const mostStored = 30_000_000;

/** `how` says into what to split it. */
export function tooLong(name: string, how = `of at most ${maxTextLength / 1e6} million characters`): ServiceError {
  return new ServiceError("invalid", `"${name}" is too long.`, `Split it into several documents ${how}.`);
}

export function tooLarge(name: string, size: number): ServiceError {
  const megabytes = Math.ceil(size / 1024 / 1024);
  const message = `"${name}" has ${megabytes} MB; a file may have ${largestFile / 1024 / 1024} MB.`;
  return new ServiceError("invalid", message, "Split it, or add its text.");
}
