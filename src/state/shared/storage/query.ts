import type { z } from "zod/mini";
import type { Json } from "../../../engine/json.ts";
import { ServiceError } from "../../../services/services.ts";
import { serviceFailure, thrownFailure } from "./service-failure.ts";

/** What a PostgREST request resolves to. */
export interface QueryAnswer<Data = unknown> {
  data: Data;
  error: { message: string; code: string } | null;
  status: number;
}

/** The columns that are wanted of rows and not given; of a JSON document nothing is known. */
type MissingColumns<Wanted, Given> = Wanted extends readonly (infer WantedRow)[]
  ? MissingColumns<WantedRow, Given extends readonly (infer GivenRow)[] ? GivenRow : Given>
  : Json extends Given
    ? never
    : Exclude<keyof Wanted, keyof NonNullable<Given>>;

/** A request for rows that have all columns that a schema reads; with another one the call does not compile. */
export type RequestFor<Schema extends z.ZodMiniType, Data> = PromiseLike<QueryAnswer<Data>> &
  ([MissingColumns<z.input<Schema>, Data>] extends [never]
    ? unknown
    : { missingColumns: MissingColumns<z.input<Schema>, Data> });

/** Waits for a request and parses what it gives. Rejects with a ServiceError; `what` is the attempt in words. */
export function query<Schema extends z.ZodMiniType, Data>(
  what: string,
  schema: Schema,
  request: RequestFor<Schema, Data>,
): Promise<z.infer<Schema>> {
  return parseAnswer(what, schema, request);
}

/** As `query`, whatever is asked for. */
export async function parseAnswer<Schema extends z.ZodMiniType>(
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
