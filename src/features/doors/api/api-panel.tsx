import { useState } from "react";
import { Link } from "wouter";
import type { Publication } from "../../../stores/services.ts";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { Field } from "../../../ui/field.tsx";
import { LoadFailure } from "../../../ui/load-failure.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Spinner } from "../../../ui/spinner.tsx";
import { Switch } from "../../../ui/switch.tsx";
import { Tab, TabList, TabPanel, Tabs } from "../../../ui/tabs.tsx";
import type { Snippet } from "./snippets.ts";
import { useApiDoor } from "./use-api-door.ts";

/** How programs run the open workflow: addresses, and programs to copy. */
export function ApiPanel({ publication }: { publication: Publication }) {
  const { door, turn } = useApiDoor(publication);
  if (door.isPending) {
    return (
      <div className="flex h-full items-center justify-center">
        <Spinner label="Loading the API" />
      </div>
    );
  }
  if (door.isError) {
    return (
      <div className="p-4">
        <LoadFailure error={door.error} onRetry={() => void door.refetch()} />
      </div>
    );
  }
  const { enabled, runUrl, openApiUrl, openAiUrl, snippets } = door.data;
  return (
    <div className="flex flex-col gap-5 p-5">
      {publication.live === null && (
        <Notice tone="warning" title="No version is live">
          Programs get “not found” until one is. They reach the version in staging as {publication.slug}@staging.
        </Notice>
      )}
      <Field
        label="Let programs run it"
        inline
        help={enabled ? "Every program needs an API key that may run this workflow." : "Every program is refused."}
      >
        {(control) => (
          <Switch {...control} checked={enabled} disabled={turn.isPending} onCheckedChange={(on) => turn.mutate(on)} />
        )}
      </Field>
      <div className="flex flex-col gap-1">
        <Address label="Run" address={runUrl} />
        {openAiUrl !== undefined && <Address label="OpenAI base URL" address={openAiUrl} />}
        <Address label="OpenAPI" address={openApiUrl} />
      </div>
      <p className="text-muted">
        The programs read the key from SWITCHYARD_API_KEY.{" "}
        <Link href="/settings/api-keys" className="text-accent underline">
          Create an API key
        </Link>
      </p>
      <Snippets snippets={snippets} />
    </div>
  );
}

function Address({ label, address }: { label: string; address: string }) {
  return (
    <p className="flex min-w-0 items-center gap-2">
      <span className="w-32 shrink-0 text-muted">{label}</span>
      <code className="min-w-0 font-mono text-xs wrap-anywhere">{address}</code>
      <CopyButton text={() => address} label={`Copy the address: ${label}`} />
    </p>
  );
}

function Snippets({ snippets }: { snippets: readonly Snippet[] }) {
  const [chosen, setChosen] = useState("curl");
  const shown = snippets.find(({ value }) => value === chosen) ?? snippets[0];
  if (shown === undefined) return null;
  return (
    <Tabs value={shown.value} onValueChange={setChosen} className="shrink-0 rounded-md border">
      <TabList label="Programs" end={<CopyButton text={() => shown.text} label="Copy the program" />}>
        {snippets.map(({ value, title }) => (
          <Tab key={value} value={value}>
            {title}
          </Tab>
        ))}
      </TabList>
      <TabPanel value={shown.value}>
        {/* Can be scrolled by keyboard. */}
        <pre tabIndex={0} aria-label={shown.title} className="overflow-x-auto p-3 font-mono text-xs">
          {shown.text}
        </pre>
      </TabPanel>
    </Tabs>
  );
}
