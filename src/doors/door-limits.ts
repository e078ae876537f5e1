import { z } from "zod/mini";
import { isJsonObject, type Json } from "../engine/json.ts";

const megabyte = 1024 * 1024;

/** What one request of a door may hold, attached files with it: as much as a run is started with. */
export const maxInputMb = 16;

/** What holds where the owner of a publication has set nothing. */
export const usualDoorLimits = { inputMb: 1, senderPerDay: 10_000, senderMbPerDay: 200 } as const;

const amount = (most?: number) =>
  z.catch(
    z.optional(most === undefined ? z.number().check(z.positive()) : z.number().check(z.positive(), z.maximum(most))),
    undefined,
  );

const storedLimits = z.object({
  inputMb: amount(maxInputMb),
  senderPerDay: amount(),
  senderMbPerDay: amount(),
});

/** What a publication takes from those who call its doors. */
export interface DoorLimits {
  /** Of one input without its attached files, in bytes of JSON. */
  inputBytes: number;
  /** Runs that one API key, or one network of a webhook, may start in a day (UTC), and bytes of their inputs. */
  senderMessages: number;
  senderBytes: number;
}

/** The limits of a publication as they are stored; what is absent or makes no sense has the usual value. */
export function doorLimits(stored: unknown): DoorLimits {
  const read = storedLimits.safeParse(stored);
  const { inputMb, senderPerDay, senderMbPerDay } = read.success ? read.data : {};
  return {
    inputBytes: Math.floor((inputMb ?? usualDoorLimits.inputMb) * megabyte),
    senderMessages: counted(senderPerDay ?? usualDoorLimits.senderPerDay),
    senderBytes: counted((senderMbPerDay ?? usualDoorLimits.senderMbPerDay) * megabyte),
  };
}

/** A whole number that the database can count to, and at least one. */
function counted(amount: number): number {
  return Math.min(Math.max(1, Math.floor(amount)), 1e15);
}

/** What an input comes to as JSON, in bytes: in all, and without the pictures and files that are attached to it. */
export interface InputSize {
  total: number;
  withoutFiles: number;
}

/** Measures a run's input. Attached are `data:` URLs in its `images` and in the `url` of its `files`. */
export function inputSize(input: Json): InputSize {
  const total = jsonBytes(input);
  if (!isJsonObject(input)) return { total, withoutFiles: total };
  const files = Array.isArray(input.files)
    ? input.files.map((file) => (isJsonObject(file) ? file.url : undefined))
    : [];
  const images = Array.isArray(input.images) ? input.images : [];
  const attached = [...images, ...files].reduce<number>((sum, url) => sum + (isDataUrl(url) ? jsonBytes(url) : 0), 0);
  return { total, withoutFiles: total - attached };
}

function isDataUrl(url: Json | undefined): url is string {
  if (typeof url !== "string") return false;
  const [head] = /^data:[\w.+-]{1,100}\/[\w.+-]{1,100};base64,/.exec(url) ?? [];
  // One pattern for all of it would go back over megabytes.
  return head !== undefined && !/[^A-Za-z0-9+/=]/.test(url.slice(head.length));
}

function jsonBytes(value: Json): number {
  return new TextEncoder().encode(JSON.stringify(value)).byteLength;
}
