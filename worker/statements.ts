/**
 * All that a worker asks of the database, by name: it sends a name and parameters, never SQL, so that whoever runs the
 * statements for it can run no others. Parameters are texts, numbers and null; JSON goes as text.
 */
export const workerStatements = {
  nextRun:
    "select claimed.*, private.studio_run_callers(claimed.id) as callers, private.studio_run_files(claimed.id) as files from private.studio_next_run($1::text, $2::integer, 10) as claimed",
  nextRunOf:
    "select claimed.*, private.studio_run_callers(claimed.id) as callers, private.studio_run_files(claimed.id) as files from private.studio_next_run($1::text, $2::integer, 10, $3::uuid) as claimed",
  checkQueue: "select private.studio_check_later($1::uuid, now())",
  append:
    "select private.studio_append_run_events($1::uuid, $2::integer, $3::text::jsonb, $4::integer, $5::numeric) as answer",
  book: "select private.studio_book_call($1::uuid, $2::integer, $3::numeric, $4::numeric, $5::numeric, $6::numeric) as answer",
  checkUnknownPrices: "select private.studio_check_unknown_prices($1::uuid, $2::text::jsonb) as answer",
  modelPrices: "select private.studio_model_prices($1::integer) as answer",
  finish: "select private.studio_finish_run($1::uuid, $2::integer, $3::text::jsonb, $4::text::jsonb) as answer",
  ask: "select private.studio_ask($1::uuid, $2::integer, $3::text, $4::text, $5::text::jsonb, $6::text::timestamptz) as answer",
  release: "select private.studio_release_run($1::uuid, $2::integer, $3::text::jsonb, $4::text) as answer",
  beat: "select private.studio_beat($1::text, $2::integer, $3::text::jsonb, $4::integer) as answer",
  dueOwners: "select owner, failing from private.studio_due_owners($1::text, $2::uuid, $3::integer)",
  noteChore: "select private.studio_note_chore($1::text, $2::uuid, $3::text, $4::text)",
  endChore: "select private.studio_end_chore($1::text, $2::uuid)",
  expireWaits: "select private.studio_expire_waits($1::uuid) as answer",
  failLostRuns: "select private.studio_fail_lost_runs($1::uuid, 10) as answer",
  pruneOwner: "select private.studio_prune_owner($1::uuid) as answer",
  reindexOwner: "select private.studio_reindex_owner($1::uuid) as answer",
  deleteOwnerPart: "select private.studio_delete_owner_part($1::uuid, $2::integer) as answer",
  queueFigures: "select private.studio_queue_figures() as answer",
  claimNotice: "select private.studio_claim_notice($1::text, $2::uuid) as answer",
  claimTraces: "select private.studio_claim_traces($1::text, $2::integer, $3::uuid) as answer",
  claimUpload: "select private.studio_claim_upload($1::text, $2::uuid) as answer",
  leaveUpload: "select private.studio_leave_upload($1::text, $2::uuid, $3::uuid)",
  claimSource: "select private.studio_claim_source($1::text, $2::uuid, $3::text::jsonb) as answer",
  nextSourcePage: "select private.studio_next_source_page($1::uuid, $2::uuid, $3::uuid) as answer",
  nameSourceDocument:
    "select private.studio_name_source_document($1::uuid, $2::uuid, $3::uuid, $4::uuid, $5::text, $6::text) as answer",
  noteSourcePage:
    "select private.studio_note_source_page($1::uuid, $2::uuid, $3::uuid, $4::uuid, $5::text::jsonb) as answer",
  leaveSource: "select private.studio_leave_source($1::uuid, $2::uuid, $3::uuid, $4::integer)",
  endSource: "select private.studio_end_source($1::uuid, $2::uuid, $3::uuid, $4::text::jsonb)",
  takeHostTurn: "select private.studio_take_host_turn($1::uuid, $2::text, $3::integer) as answer",
  dropWorker: "select private.studio_drop_worker($1::text) as answer",
  log: "select event from private.studio_run_log($1::uuid, $2::uuid, $3::integer, $4::integer)",
  source: "select * from private.studio_run_source($1::uuid, $2::uuid)",
  answers: "select call_id, decision from private.studio_run_answers($1::uuid)",
  dueTriggers: "select * from private.studio_due_triggers($1::uuid, $2::integer)",
  fireTrigger:
    "select private.studio_fire_trigger($1::uuid, $2::text::timestamptz, $3::text::timestamptz, $4::text) as answer",
} as const;

/** The name of a statement. */
export type WorkerStatement = keyof typeof workerStatements;

/** A value that a statement is given. */
export type Parameter = string | number | null;

/** Whether a text names a statement. */
export function isWorkerStatement(name: string): name is WorkerStatement {
  return Object.hasOwn(workerStatements, name);
}
