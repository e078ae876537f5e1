import type { Host } from "../host.ts";

/**
 * Resolves once the log is stored, with what `begin` adds to it; undefined where the host has no durable log, and it was added at
 * once.
 */
export function storedFirst(host: Pick<Host, "checkpoint">, begin?: () => void): Promise<void> | undefined {
  if (host.checkpoint) return host.checkpoint(begin);
  begin?.();
  return undefined;
}
