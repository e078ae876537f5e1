import { ServiceError } from "../../../services/services.ts";

/** Bytes of one file. */
export const largestFile = 50 * 1024 * 1024;

export function tooLarge(name: string, size: number): ServiceError {
  const megabytes = Math.ceil(size / 1024 / 1024);
  const message = `"${name}" has ${megabytes} MB; a file may have ${largestFile / 1024 / 1024} MB.`;
  return new ServiceError("invalid", message, "Split it, or add its text.");
}
