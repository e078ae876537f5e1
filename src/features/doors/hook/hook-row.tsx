import { useState } from "react";
import { formatMoment } from "../../../ui/text/format-moment.ts";
import { CopyLine, DoorRow } from "../door-row.tsx";
import { LiveExposure } from "../live-exposure.tsx";
import type { RowProps } from "../row-props.ts";
import { useDoorSwitch } from "../use-door-switch.ts";
import { HookSettings } from "./hook-settings.tsx";
import { type HookDoor, useHookDoor } from "./use-hook-door.ts";

/** The webhook of the open workflow. */
export function HookRow({ publication, hasTrigger }: RowProps) {
  const hooks = useHookDoor(publication);
  const [isOpen, setIsOpen] = useState(false);
  const change = useDoorSwitch("hook");
  const { data } = hooks.door;
  if (data === undefined) return null;
  const { address, config } = data;
  const isOn = (change.isPending ? change.variables.enabled : undefined) ?? data.enabled;
  const lacksSecret = config.scheme !== "none" && !data.secrets.includes("current");
  const toggle = (enabled: boolean) => {
    if (enabled && lacksSecret) setIsOpen(true);
    change.mutate({ enabled });
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
      notices={
        <>
          {data.knownDeliveries !== undefined && <KnownDeliveries {...data.knownDeliveries} />}
          {isOn && !config.callersTrusted && <LiveExposure door="hook" publication={publication} />}
        </>
      }
      isOpen={isOpen}
      onOpenChange={setIsOpen}
    >
      <HookSettings door={data} hooks={hooks} />
    </DoorRow>
  );
}

/** What came a second time: a sender that repeats itself, or somebody who replays what he has seen. */
function KnownDeliveries({ count, lastAt }: NonNullable<HookDoor["knownDeliveries"]>) {
  const what = count === 1 ? "1 delivery was" : `${count.toLocaleString("en")} deliveries were`;
  return (
    <p className="numeric text-xs text-muted">
      {what} refused as already known, {count === 1 ? "" : "the last one "}on {formatMoment(Date.parse(lastAt))}.
    </p>
  );
}

function lineOf(isOn: boolean, hasTrigger: boolean, lacksSecret: boolean): string {
  if (!hasTrigger) return "Needs a webhook trigger. Add the node Webhook to the workflow and publish it.";
  if (!isOn) return "Requests from other services start runs";
  return lacksSecret
    ? "Every request is still refused: the secret is missing"
    : "Requests start runs of the live version";
}
