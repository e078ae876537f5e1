import { z } from "zod/mini";
import { ServiceError } from "../../../services/services.ts";
import { parseAnswer, type RequestFor } from "../../shared/storage/query.ts";
import { storeFailure } from "./search-failure.ts";

/** As `query`, with what the knowledge functions raise in their own words. */
export async function knowledgeQuery<Schema extends z.ZodMiniType, Data>(
  what: string,
  schema: Schema,
  request: RequestFor<Schema, Data>,
): Promise<z.infer<Schema>> {
  const answered = Promise.resolve(request).then((answer) => {
    const known = answer.error && storeFailure(answer.error.message);
    if (known) throw known;
    return answer;
  });
  return await parseAnswer(what, schema, answered);
}

/** The only row. Rejects with `not-found` when there is none. */
export function onlyRow<Row>(rows: readonly Row[], what: "collection" | "document" | "chunk"): Row {
  const [row] = rows;
  if (row !== undefined) return row;
  const hint = "It may have been deleted, or it belongs to another account. Reload the page.";
  throw new ServiceError("not-found", `This ${what} does not exist.`, hint);
}
