import { useState } from "react";
import { CopyLine, DoorRow } from "../door-row.tsx";
import { LiveExposure } from "../live-exposure.tsx";
import type { RowProps } from "../row-props.ts";
import { useDoorSwitch } from "../use-door-switch.ts";
import { HookSettings } from "./hook-settings.tsx";
import { useHookDoor } from "./use-hook-door.ts";

/** The webhook of the open workflow. */
export function HookRow({ publication, hasTrigger }: RowProps) {
  const hooks = useHookDoor(publication);
  const [isOpen, setIsOpen] = useState(false);
  const change = useDoorSwitch("hook");
  const { data } = hooks.door;
  if (data === undefined) return null;
  const { address, config } = data;
  const isOn = change.isPending ? change.variables.enabled : data.enabled;
  const lacksSecret = config.scheme !== "none" && !data.secrets.includes("current");
  const toggle = (enabled: boolean) => {
    if (enabled && lacksSecret) setIsOpen(true);
    change.mutate({ enabled, config });
  };
  return (
    <DoorRow
      icon="webhook"
      title="Webhook"
      line={lineOf(isOn, hasTrigger, lacksSecret)}
      warns={isOn && (!hasTrigger || lacksSecret)}
      isOn={isOn}
      toggle={
        hasTrigger || isOn
          ? { checked: isOn, busy: change.isPending || hooks.save.isPending, onChange: toggle }
          : undefined
      }
      copies={
        <>
          <CopyLine label="Address" text={address} copyLabel="Copy the address" />
          {isOpen && <CopyLine label="Test address" text={`${address}/test`} copyLabel="Copy the test address" />}
        </>
      }
      notices={isOn && !config.callersTrusted && <LiveExposure door="hook" publication={publication} />}
      isOpen={isOpen}
      onOpenChange={setIsOpen}
    >
      <HookSettings door={data} hooks={hooks} />
    </DoorRow>
  );
}

function lineOf(isOn: boolean, hasTrigger: boolean, lacksSecret: boolean): string {
  if (!hasTrigger) return "Needs a webhook trigger. Add the node Webhook to the workflow and publish it.";
  if (!isOn) return "Requests from other services start runs";
  return lacksSecret
    ? "Every request is still refused: the secret is missing"
    : "Requests start runs of the live version";
}
