import type { RunEvent } from "../events.ts";
import { attributes, type OtlpTraces } from "./otlp.ts";
import { type OtelOptions, TraceBuilder } from "./trace-builder.ts";

/** The version of the semantic conventions that the attributes follow. */
const schemaUrl = "https://opentelemetry.io/schemas/1.37.0";

/**
 * A run as OpenTelemetry traces in OTLP's JSON form: one span for the run, one per use of a node (`invoke_agent` where it
 * runs the agent loop), one per model call (`chat`) and per tool call (`execute_tool`), nested as they happened; all else
 * is an event of its span. Attributes follow OpenTelemetry's semantic conventions for generative AI (gen_ai.*,
 * https://opentelemetry.io/docs/specs/semconv/gen-ai/); what they have no word for is under `switchyard.`. Ids follow from
 * the run's id alone, so that exporting twice gives the same trace. Pure; never throws. Spans of a run that broke off end
 * with its last event and say so.
 */
export function toOtlp(events: readonly RunEvent[], options: OtelOptions = {}): OtlpTraces {
  const spans = new TraceBuilder(events, options).build();
  return {
    resourceSpans: [
      {
        resource: { attributes: attributes({ "service.name": "switchyard" }) },
        scopeSpans: [{ scope: { name: "switchyard" }, spans, schemaUrl }],
        schemaUrl,
      },
    ],
  };
}
