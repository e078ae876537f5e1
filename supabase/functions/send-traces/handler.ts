import { z } from "zod/mini";
import type { OtlpTraces } from "../../../src/engine/run/export/otlp.ts";
import { toOtlp } from "../../../src/engine/run/export/otel.ts";
import type { RunEvent } from "../../../src/engine/run/events.ts";
import { EventUnpacker } from "../../../src/engine/run/stored-events.ts";
import { secretPlaces } from "../../../src/engine/credentials/secret-places.ts";
import { openAll } from "../_shared/door-secrets.ts";
import { describeIssues } from "../_shared/describe-issues.ts";
import { targetPolicy } from "../_shared/endpoint.ts";
import { success, type Outcome } from "../_shared/failure.ts";
import { guardedFetch, type GuardOptions } from "../_shared/guarded-fetch.ts";
import { jsonEndpoint } from "../_shared/json-endpoint.ts";

const requestSchema = z.strictObject({
  workflow: z.uuid(),
  runs: z.array(z.uuid()).check(z.minLength(1), z.maxLength(20)),
});

const collectorSchema = z.object({
  url: z.string(),
  headers: z.record(z.string(), z.string()),
  content: z.boolean(),
});

/** Where traces go, with what headers, and whether they tell what was said. */
type Collector = z.infer<typeof collectorSchema>;

/** Stored by the studio itself. */
const storedEvent = z.custom<RunEvent>((value) => typeof value === "object" && value !== null && "type" in value);

const traceSchema = z.object({ events: z.array(storedEvent), titles: z.record(z.string(), z.nullable(z.string())) });
type Trace = z.infer<typeof traceSchema>;

/**
 * `POST /functions/v1/send-traces`: sends finished runs of a published workflow to its collector, as OTLP/HTTP in JSON
 * (https://opentelemetry.io/docs/specs/otlp/). Workers call it for the owner of the workflow. Events go out as they are stored: without
 * secrets, and masked where the workflow says so.
 *
 * Request: `{ workflow, runs }`, ids. Response: 200 with `{ sent, problem? }`; what became of the runs is stored, and those that a
 * collector may take later come due again. Runs that are not the caller's, or were sent, are left out. Errors: 400, 401, 429, 500.
 */
export const sendTracesEndpoint = jsonEndpoint({
  rateLimit: { bucket: "send-traces", perMinute: 120, concurrent: 5, slotSeconds: 60 },
  maxBytes: 4 * 1024,
  async perform(body, caller, context, { signal }): Promise<Outcome<{ sent: number; problem?: string }>> {
    const request = requestSchema.safeParse(body);
    if (!request.success) return describeIssues(request.error, "The request");
    const { workflow, runs } = request.data;
    const whose = { p_workflow_id: workflow, p_owner: caller.userId };
    const { supabase } = context;
    const stored = await supabase.callAsService("studio_read_collector", whose, "reads");
    const collector = z.nullable(collectorSchema).parse(stored);
    if (collector === null) return success({ sent: 0, problem: "No collector is named." });
    const traces: Trace[] = [];
    for (const run of runs) {
      const asked = { ...whose, p_run_id: run, p_content: collector.content };
      const trace = z.nullable(traceSchema).parse(await supabase.callAsService("studio_read_trace", asked, "reads"));
      if (trace !== null && trace.events.length > 0) traces.push(trace);
    }
    const policy = targetPolicy(context.environment);
    const guard = { ...policy, resolve: context.resolve, signal, share: context.share };
    const row = { store: "collectors", owner: caller.userId, workflowId: workflow } as const;
    const placeOf = (name: string) => secretPlaces.collector(collector.url, name);
    const headers = await openAll(context, row, collector.headers, placeOf);
    // Without one of its headers the request would be another, such as one of a stranger.
    const closed = Object.keys(collector.headers).find((name) => !Object.hasOwn(headers, name));
    const refusal =
      traces.length === 0
        ? undefined
        : closed === undefined
          ? await sendTraces(traces, { ...collector, headers }, guard)
          : { problem: `The header ${closed} cannot be opened. Enter it again.`, again: true };
    await supabase.callAsService("studio_end_traces", {
      ...whose,
      p_runs: runs,
      p_problem: refusal?.problem ?? null,
      p_again: refusal?.again ?? false,
    });
    return success(refusal ? { sent: 0, problem: refusal.problem } : { sent: traces.length });
  },
});

const timeoutMs = 15_000;
const maxAnswerBytes = 64 * 1024;
/** Characters above which what was said is left out. */
const maxBodyCharacters = 4_000_000;
/** Answers after which the same may be sent again, as the protocol says. */
const retryable: ReadonlySet<number> = new Set([429, 502, 503, 504]);
/** Failures that do not go away by themselves. */
const lasting: ReadonlySet<string> = new Set(["blocked_address", "invalid_url", "invalid_header", "invalid_config"]);

/** Why traces were not taken, in words, and whether it is worth trying again. */
interface Refusal {
  problem: string;
  again: boolean;
}

/** Sends traces in one request. Undefined once the collector has taken them. */
export async function sendTraces(
  traces: readonly Trace[],
  { url, headers, content }: Collector,
  options: GuardOptions,
): Promise<Refusal | undefined> {
  const whole = JSON.stringify(joined(traces, content));
  const body = content && whole.length > maxBodyCharacters ? JSON.stringify(joined(traces, false)) : whole;
  const answer = await guardedFetch(
    {
      url,
      method: "POST",
      headers: { "user-agent": "Switchyard", ...headers, "content-type": "application/json" },
      body,
    },
    { ...options, followRedirects: false, timeoutMs: timeoutMs, maxBytes: maxAnswerBytes },
  );
  if (!answer.ok) return { problem: answer.error.message, again: !lasting.has(answer.error.code) };
  const { status } = answer.value;
  if (status >= 200 && status < 300) return partialRefusal(answer.value.body);
  return { problem: `The collector answered with the status ${status}.`, again: retryable.has(status) };
}

const partialSchema = z.object({
  partialSuccess: z.object({ rejectedSpans: z.coerce.number(), errorMessage: z.optional(z.string()) }),
});

/** A collector may take a part alone; the protocol forbids to send the rest again. */
function partialRefusal(body: Uint8Array): Refusal | undefined {
  let told: unknown;
  try {
    told = JSON.parse(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
  const partial = partialSchema.safeParse(told).data?.partialSuccess;
  if (!partial || partial.rejectedSpans === 0) return undefined;
  const why = (partial.errorMessage ?? "It did not say why.").slice(0, 300);
  return { problem: `The collector refused ${partial.rejectedSpans} spans: ${why}`, again: false };
}

function joined(traces: readonly Trace[], content: boolean): OtlpTraces {
  return {
    resourceSpans: traces.flatMap(({ events, titles }) => {
      const unpacker = new EventUnpacker();
      const whole = content ? events.map((event) => unpacker.unpack(event)) : events;
      return toOtlp(whole, { content, titleOf: (nodeId) => titles[nodeId] ?? undefined }).resourceSpans;
    }),
  };
}
