import type { z } from "zod/mini";
import { ServiceError } from "../../../services/services.ts";
import { serviceFailure, thrownFailure } from "./service-failure.ts";

/** What a PostgREST request resolves to. */
export interface QueryAnswer {
  data: unknown;
  error: { message: string; code: string } | null;
  status: number;
}

/** Waits for a request and parses what it gives. Rejects with a ServiceError; `what` is the attempt in words. */
export async function query<Schema extends z.ZodMiniType>(
  what: string,
  schema: Schema,
  request: PromiseLike<QueryAnswer>,
): Promise<z.infer<Schema>> {
  const parsed = schema.safeParse(await send(what, request));
  if (parsed.success) return parsed.data;
  const hint = "The site and the server may be of different versions. Reload the page.";
  throw new ServiceError("server", `The server's answer could not be read while trying to ${what}.`, hint);
}

/** The same for a request whose answer does not matter. */
export async function execute(what: string, request: PromiseLike<QueryAnswer>): Promise<void> {
  await send(what, request);
}

async function send(what: string, request: PromiseLike<QueryAnswer>): Promise<unknown> {
  let answer: QueryAnswer;
  try {
    answer = await request;
  } catch (error) {
    throw thrownFailure(what, error);
  }
  const { data, error, status } = answer;
  if (error !== null) throw serviceFailure(what, { status, code: error.code, message: error.message });
  return data;
}
