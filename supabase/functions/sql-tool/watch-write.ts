import type { SideEffect } from "../../../src/nodes/tools/postgres/sql-result.ts";
import { changesIn, countChanges, countedTables, requireFew, sideEffects } from "./affected-rows.ts";
import type { PostgresConnection } from "./open-postgres.ts";
import { Rejection } from "./rejection.ts";
import type { TableName } from "./table-name.ts";
import { watchSequences } from "./used-sequences.ts";

/** What a write is watched for. */
interface WatchedWrite {
  /** The tables that the statement names as those that it changes. */
  named: readonly TableName[];
  maxAffectedRows: number;
  dryRun: boolean;
  /** The statement changes rows within WITH, which it does not report itself. */
  writesInWith?: boolean;
}

/** What a write did besides, as fields of its result; `affected` is the rows of the tables that it names. */
interface WatchedResult {
  affected: number;
  also: { alsoChanged?: SideEffect[] };
  notes: { notes?: string[] };
}

/**
 * Begins to watch a write. What is given back is called with the rows that the statement reports, and throws a Rejection when
 * it changed more than is allowed, with all that triggers, cascades and rules did.
 */
export async function watchWrite(
  connection: PostgresConnection,
  { named, maxAffectedRows, dryRun, writesInWith = false }: WatchedWrite,
): Promise<(reported: number) => Promise<WatchedResult>> {
  const counted = await countChanges(connection);
  const sequences = dryRun ? await watchSequences(connection) : undefined;
  return async (reported) => {
    const changes = await counted();
    let affected = reported;
    let own = named;
    if (writesInWith) {
      const held = changes && (await countedTables(connection, named));
      if (!changes || !held) throw notCounted();
      own = held;
      affected = changesIn(changes, held);
    }
    const also = sideEffects(changes ?? [], own, affected);
    requireFew({ affected, also }, maxAffectedRows);
    const used = (await sequences?.(changes)) ?? [];
    const notes = [
      ...(changes ? [] : ["This database does not count rows, so changes by triggers and cascades are not known."]),
      ...(used.length === 0
        ? []
        : [`The preview used up numbers of ${used.join(", ")}, which Postgres does not take back.`]),
    ];
    return {
      affected,
      also: also.length === 0 ? {} : { alsoChanged: also },
      notes: notes.length === 0 ? {} : { notes },
    };
  };
}

function notCounted(): Rejection {
  return new Rejection(
    "How many rows the statement changes within WITH cannot be counted, so nothing was changed.",
    "Change tables rather than views there, name them with their schema, or send each change as a statement of its own.",
  );
}
