import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Publication, TraceCollector } from "../../services/services.ts";
import { useServices } from "../../services/services-context.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { Field } from "../../ui/fields/field.tsx";
import { formatMoment } from "../../ui/text/format-moment.ts";
import { Input } from "../../ui/fields/input.tsx";
import { Loaded } from "../../ui/feedback/loaded.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";
import { Switch } from "../../ui/fields/switch.tsx";
import { Textarea } from "../../ui/fields/textarea.tsx";
import { showError, showToast } from "../../ui/feedback/toast.tsx";
import { readHeaders } from "./read-headers.ts";

/** Where the traces of a publication's runs go. */
export function TracesPanel({ publication: { workflowId } }: { publication: Publication }) {
  const { activity } = useServices();
  const stored = useQuery({ queryKey: ["collector", workflowId], queryFn: () => activity.collector(workflowId) });
  return (
    <Loaded query={stored} label="Loading where traces go">
      {(data) => <CollectorForm key={data?.url ?? ""} workflowId={workflowId} stored={data} />}
    </Loaded>
  );
}

/** Why an address cannot be called; undefined where it may be, or is empty. */
function addressProblem(url: string): string | undefined {
  if (url === "") return undefined;
  const isWeb = URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
  return isWeb && url.length <= 2_000 ? undefined : "Enter an address that begins with https://.";
}

function headersHelp(stored: TraceCollector | null, url: string): string {
  const form = "One per line, such as Authorization: Bearer …. Stored write-only.";
  if (stored === null || stored.headerNames.length === 0) return form;
  const names = stored.headerNames.join(", ");
  return stored.url === url ? `Stored: ${names}. Empty keeps them.` : `${form} With another address, enter them again.`;
}

function CollectorForm({ workflowId, stored }: { workflowId: string; stored: TraceCollector | null }) {
  const { activity } = useServices();
  const queries = useQueryClient();
  const [url, setUrl] = useState(stored?.url ?? "");
  const [headers, setHeaders] = useState("");
  const [content, setContent] = useState(stored?.content ?? false);
  const address = url.trim();
  const read = readHeaders(headers);
  const problem = addressProblem(address);
  const onError = (error: unknown) => showError(error);
  const save = useMutation({
    mutationFn: () =>
      activity.saveCollector(
        workflowId,
        address === ""
          ? null
          : { url: address, content, ...(read.ok && headers.trim() !== "" ? { headers: read.headers } : {}) },
      ),
    onSuccess: async () => {
      setHeaders("");
      await queries.invalidateQueries({ queryKey: ["collector", workflowId] });
      showToast(address === "" ? "Traces are no longer sent" : "Traces of runs that end from now on are sent");
    },
    onError,
  });

  return (
    <form
      className="flex flex-col gap-4 p-5 pt-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (problem === undefined && read.ok) save.mutate();
      }}
    >
      <p className="text-muted">
        Each run on the server that ends is sent to an OpenTelemetry collector: OTLP over HTTP in JSON, with the names
        of the conventions for generative AI.
      </p>
      {stored !== null && stored.problem !== null && (
        <Notice tone="danger" title="Traces could not be sent">
          {stored.problem}
        </Notice>
      )}
      <div className="grid gap-4 md:grid-cols-2">
        <Field
          label="Collector"
          help="The whole address for traces. Leave it empty to send none."
          {...(problem === undefined ? {} : { error: problem })}
        >
          {(control) => (
            <Input
              {...control}
              inputMode="url"
              placeholder="https://collector.example.com/v1/traces"
              value={url}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => setUrl(event.target.value)}
            />
          )}
        </Field>
        <Field label="Headers" help={headersHelp(stored, address)} {...(read.ok ? {} : { error: read.problem })}>
          {(control) => (
            <Textarea
              {...control}
              rows={2}
              value={headers}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => setHeaders(event.target.value)}
            />
          )}
        </Field>
      </div>
      <Field
        label="Send what was said"
        help="Also messages, arguments and results, as they are stored: masked where Privacy says so."
        inline
      >
        {(control) => <Switch {...control} checked={content} onCheckedChange={setContent} />}
      </Field>
      <div className="flex flex-wrap items-center gap-3 max-sm:*:flex-1">
        <Button type="submit" busy={save.isPending}>
          Save traces
        </Button>
        {stored !== null && (
          <p className="text-xs text-muted numeric">
            {stored.sentAt === null ? "Nothing was sent yet" : `Last sent ${formatMoment(Date.parse(stored.sentAt))}`}
            {stored.waiting > 0 && ` · ${stored.waiting} waiting`}
          </p>
        )}
      </div>
    </form>
  );
}
