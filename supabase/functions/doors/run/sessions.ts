import { isJsonObject, type Json } from "../../../../src/engine/json.ts";
import { sha256 } from "../../_shared/door.ts";
import type { PublishedInterface } from "../../../../src/doors/published-interface.ts";
import type { ApiKey } from "./api-key.ts";

/**
 * The session that a name of a key's stands for. It begins with the key, so that no name of one key reaches what another one,
 * a visitor or the studio itself has said.
 */
export async function sessionOf(key: Pick<ApiKey, "id">, name: string): Promise<string> {
  return `api ${key.id} ${name.length <= 200 ? name : await sha256(name)}`;
}

/** A session for one run alone; the same again for the same idempotency key. */
export function sessionOfOneRun(key: Pick<ApiKey, "id">, idempotencyKey: string | undefined): string {
  return `api ${key.id} once ${idempotencyKey?.replace(/^api /, "") ?? crypto.randomUUID()}`;
}

/** The input with a session of the key's own, where it names one or the workflow has conversations. */
export async function withOwnSession(
  input: Json,
  key: Pick<ApiKey, "id">,
  { hasSessions }: Pick<PublishedInterface, "hasSessions">,
  idempotencyKey: string | undefined,
): Promise<{ input: Json; session: string | undefined }> {
  if (!isJsonObject(input)) return { input, session: undefined };
  const { sessionId } = input;
  const name =
    typeof sessionId === "number" ? String(sessionId) : typeof sessionId === "string" ? sessionId.trim() : "";
  if (name === "" && !hasSessions) return { input, session: undefined };
  const session = name === "" ? sessionOfOneRun(key, idempotencyKey) : await sessionOf(key, name);
  return { input: { ...input, sessionId: session }, session };
}
