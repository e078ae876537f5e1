import { Link } from "wouter";
import type { Publication } from "../../../services/services.ts";
import { Field } from "../../../ui/fields/field.tsx";
import { Loaded } from "../../../ui/feedback/loaded.tsx";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { Switch } from "../../../ui/fields/switch.tsx";
import { LiveExposure } from "../live-exposure.tsx";
import { DoorAddress, ProgramTabs } from "../program-tabs.tsx";
import { TrustedCallers } from "../trusted-callers.tsx";
import { type ApiDoor, useApiDoor } from "./use-api-door.ts";

/** How programs run the open workflow: addresses, and programs to copy. */
export function ApiPanel({ publication }: { publication: Publication }) {
  const { door, save } = useApiDoor(publication);
  return (
    <Loaded query={door} label="Loading the API">
      {(data) => <Addresses door={data} save={save} publication={publication} />}
    </Loaded>
  );
}

interface AddressesProps {
  door: ApiDoor;
  save: ReturnType<typeof useApiDoor>["save"];
  publication: Publication;
}

function Addresses({ door, save, publication }: AddressesProps) {
  const { enabled, callersTrusted, runUrl, openApiUrl, openAiUrl, agentUrl, snippets } = door;
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
          <Switch
            {...control}
            checked={enabled}
            busy={save.isPending}
            onCheckedChange={(on) => save.mutate({ enabled: on, callersTrusted })}
          />
        )}
      </Field>
      <TrustedCallers
        who="Callers"
        trusted={callersTrusted}
        busy={save.isPending}
        onChange={(trusted) => save.mutate({ enabled, callersTrusted: trusted })}
      />
      {enabled && !callersTrusted && <LiveExposure door="api" publication={publication} />}
      <div className="flex flex-col gap-1">
        <DoorAddress label="Run" address={runUrl} />
        {openAiUrl !== undefined && <DoorAddress label="OpenAI base URL" address={openAiUrl} />}
        <DoorAddress label="OpenAPI" address={openApiUrl} />
        {agentUrl !== undefined && <DoorAddress label="A2A (preview)" address={agentUrl} />}
      </div>
      <p className="text-muted">
        The programs read the key from SWITCHYARD_API_KEY.{" "}
        <Link href="/settings/api-keys" className="text-accent underline">
          Create an API key
        </Link>
      </p>
      <ProgramTabs snippets={snippets} label="Programs" copyLabel="Copy the program" />
    </div>
  );
}
