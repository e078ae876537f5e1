import { CopyLine } from "../door-row.tsx";
import { ProgramTabs } from "../program-tabs.tsx";
import { TrustedCallers } from "../trusted-callers.tsx";
import type { ApiDoor, useApiDoor } from "./use-api-door.ts";

interface ApiSettingsProps {
  door: ApiDoor;
  save: ReturnType<typeof useApiDoor>["save"];
  slug: string;
}

/** Whether programs are trusted, further addresses, and programs to copy. */
export function ApiSettings({ door, save, slug }: ApiSettingsProps) {
  const { callersTrusted, openApiUrl, snippets } = door;
  return (
    <div className="flex flex-col gap-5 p-5">
      <TrustedCallers
        who="Callers"
        trusted={callersTrusted}
        busy={save.isPending}
        onChange={(trusted) => save.mutate({ config: { callersTrusted: trusted } })}
      />
      <div className="flex flex-col gap-1">
        <CopyLine label="OpenAPI" text={openApiUrl} copyLabel="Copy the address: OpenAPI" />
        <p className="text-muted">
          {slug}@staging runs the version in staging. The programs read the key from SWITCHYARD_API_KEY.
        </p>
      </div>
      <ProgramTabs snippets={snippets} label="Programs" copyLabel="Copy the program" />
    </div>
  );
}
