import { z } from "zod/mini";
import type { CountedPage, Page, PagePlace, PageRequest } from "../../../services/services.ts";
import { parseAnswer, type RequestFor } from "./query.ts";

/** The most rows that one request asks for: PostgREST hands out a thousand at once and does not say that there are more. */
export const largestPage = 500;

/** What each `studio_list_…` function adds to its rows. */
const inList = z.object({ total: z.coerce.number(), place: z.json() });

/** How a `studio_list_…` function is asked: for one row more, which tells whether the list goes on. */
export function listParameters({ search = "", limit, after }: PageRequest) {
  return { p_search: search, p_after: after ?? null, p_limit: Math.min(limit, largestPage) + 1 };
}

/** Reads one page of a `studio_list_…` function that was asked with `listParameters`. */
export async function readPage<Schema extends z.ZodMiniType, Data>(
  what: string,
  row: Schema,
  request: RequestFor<z.ZodMiniArray<Schema>, Data>,
  { limit }: PageRequest,
): Promise<CountedPage<z.infer<Schema>>> {
  const listed = z.array(
    z.pipe(
      z.unknown(),
      z.transform((raw, context) => parseListed(row, raw, context)),
    ),
  );
  const found = await parseAnswer(what, listed, request);
  const shown = found.slice(0, Math.min(limit, largestPage));
  return {
    rows: shown.map((one) => one.row),
    next: found.length > shown.length ? (shown.at(-1)?.place ?? null) : null,
    total: found[0]?.total ?? 0,
  };
}

function parseListed<Schema extends z.ZodMiniType>(schema: Schema, raw: unknown, context: z.core.ParsePayload) {
  const [row, place] = [schema.safeParse(raw), inList.safeParse(raw)];
  if (row.success && place.success) return { row: row.data, ...place.data };
  context.issues.push({ code: "custom", message: "not a row of this list", input: raw });
  return z.NEVER;
}

/** Reads a whole list, page after page. */
export async function readAll<Row>(page: (request: PageRequest) => Promise<Page<Row>>): Promise<Row[]> {
  const all: Row[] = [];
  let after: PagePlace | null = null;
  do {
    const read: Page<Row> = await page({ limit: largestPage, ...(after === null ? {} : { after }) });
    all.push(...read.rows);
    after = read.next;
  } while (after !== null);
  return all;
}
