import { z } from "zod/mini";
import { field, type FieldHints } from "../../engine/config/field.ts";
import type { Repeats } from "../../engine/errors.ts";
import { afterCrashChoices } from "../../engine/document/after-crash.ts";

/** The setting that lets a run go on after a node failed; the scheduler reads it. */
export const onErrorField = field(z._default(z.enum(["fail", "continue"]), "fail"), {
  label: "When it fails",
  help: "Fail: the run ends. Continue: the run goes on, and the next node gets { error }.",
  section: "Errors",
});

/** What becomes of work that changes something outside and was interrupted by a crash. `visibleWhen`: where it may change something. */
const afterCrashField = (help: string, visibleWhen?: FieldHints["visibleWhen"]) =>
  field(z._default(z.enum(afterCrashChoices), "ask"), {
    label: "After a crash",
    help,
    section: "Errors",
    ...(visibleWhen ? { visibleWhen } : {}),
  });

/** The same of a step; `repeatIf` ends the sentence on when to repeat it. */
export const stepAfterCrash = (repeatIf: string, visibleWhen?: FieldHints["visibleWhen"]) =>
  afterCrashField(
    `If the run is interrupted during this step, it may have been done. Repeat: do it again, ${repeatIf}. Ask: a person decides. Fail: the step fails and says so.`,
    visibleWhen,
  );

/** The same of a tool. */
export const toolAfterCrash = (repeatIf: string, visibleWhen?: FieldHints["visibleWhen"]) =>
  afterCrashField(
    `If the run is interrupted during a call that changes something, it may have been made. Repeat: make it again, ${repeatIf}. Ask: a person decides. Fail: the model is told.`,
    visibleWhen,
  );

/** When a request may be repeated. */
export const repeatIfKeyed = "if the service ignores a second request with the same Idempotency-Key";

/** When a document may be stored again. */
export const repeatIfUnchanged = "which goes on where it stopped, if nothing else has changed the document since";

/** When a change may be repeated. */
export const repeatIfHarmless = "if a second time does no harm";

/** Making work again that failed for a reason that may pass, such as a busy server. `visibleWhen`: where it may be made twice. */
export const retryFields = (help: string, visibleWhen?: FieldHints["visibleWhen"]) => ({
  retries: field(z._default(z.int().check(z.minimum(0), z.maximum(5)), 0), {
    label: "Retries",
    help,
    section: "Errors",
    ...(visibleWhen ? { visibleWhen } : {}),
  }),
  retryDelayMs: field(z._default(z.int().check(z.minimum(100), z.maximum(60_000)), 1_000), {
    label: "First pause (ms)",
    help: "How long to wait before the first retry. Each further wait is twice as long, up to 30 s, or as long as the server asks.",
    section: "Errors",
    ...(visibleWhen ? { visibleWhen } : {}),
  }),
});

/** What the retry fields say; nothing where the work is made once. */
export function repeatsOf({ retries, retryDelayMs }: Record<string, unknown>): Repeats | undefined {
  if (typeof retries !== "number" || retries <= 0) return undefined;
  return { retries, delayMs: typeof retryDelayMs === "number" ? retryDelayMs : 1_000 };
}
