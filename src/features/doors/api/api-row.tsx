import { useState } from "react";
import { Link } from "wouter";
import { CopyLine, DoorRow } from "../door-row.tsx";
import { LiveExposure } from "../live-exposure.tsx";
import type { RowProps } from "../row-props.ts";
import { useDoorSwitch } from "../use-door-switch.ts";
import { ApiSettings } from "./api-settings.tsx";
import { useApiDoor } from "./use-api-door.ts";

/** The API and OpenAI's address of the open workflow. */
export function ApiRow({ publication }: Pick<RowProps, "publication">) {
  const { door, save } = useApiDoor(publication);
  const [isOpen, setIsOpen] = useState(false);
  const change = useDoorSwitch("api");
  const { data } = door;
  if (data === undefined) return null;
  const { callersTrusted, runUrl, openAiUrl } = data;
  const isOn = (change.isPending ? change.variables.enabled : undefined) ?? data.enabled;
  return (
    <DoorRow
      icon="code"
      title="API"
      line={isOn ? "Programs run it with an API key" : "Every program is refused"}
      isOn={isOn}
      toggle={{
        checked: isOn,
        busy: change.isPending || save.isPending,
        onChange: (enabled) => change.mutate({ enabled }),
      }}
      copies={
        <>
          <CopyLine label="Run" text={runUrl} copyLabel="Copy the address: Run" />
          {openAiUrl !== undefined && (
            <CopyLine label="OpenAI base URL" text={openAiUrl} copyLabel="Copy the address: OpenAI base URL" />
          )}
          <p>
            <Link href="/settings/api-keys" className="text-accent underline">
              Create an API key
            </Link>
          </p>
        </>
      }
      notices={isOn && !callersTrusted && <LiveExposure door="api" publication={publication} />}
      isOpen={isOpen}
      onOpenChange={setIsOpen}
    >
      <ApiSettings door={data} save={save} slug={publication.slug} />
    </DoorRow>
  );
}
