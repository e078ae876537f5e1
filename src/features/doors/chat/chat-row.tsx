import { useState } from "react";
import { CopyLine, DoorRow } from "../door-row.tsx";
import { LiveExposure } from "../live-exposure.tsx";
import type { RowProps } from "../row-props.ts";
import { useDoorSwitch } from "../use-door-switch.ts";
import { accessLabels } from "./chat-access-fields.tsx";
import { ChatSettings } from "./chat-settings.tsx";
import { type ChatDoor, useChatDoor } from "./use-chat-door.ts";

/** The chat page of the open workflow. */
export function ChatRow({ publication, hasTrigger }: RowProps) {
  const { door, save } = useChatDoor();
  const [isOpen, setIsOpen] = useState(false);
  const change = useDoorSwitch("chat");
  const { data } = door;
  if (data === undefined) return null;
  const isOn = (change.isPending ? change.variables.enabled : undefined) ?? data.enabled;
  return (
    <DoorRow
      icon="message-circle"
      title="Chat page"
      line={lineOf(data, isOn, hasTrigger)}
      warns={isOn && !hasTrigger}
      isOn={isOn}
      toggle={
        hasTrigger || isOn
          ? {
              checked: isOn,
              busy: change.isPending || save.isPending,
              onChange: (enabled) => change.mutate({ enabled }),
            }
          : undefined
      }
      copies={<CopyLine text={`${location.origin}/c/${publication.slug}`} copyLabel="Copy the link" opens={isOn} />}
      notices={isOn && !data.config.callersTrusted && <LiveExposure door="chat" publication={publication} />}
      isOpen={isOpen}
      onOpenChange={setIsOpen}
    >
      <ChatSettings door={data} save={save} />
    </DoorRow>
  );
}

function lineOf({ config }: ChatDoor, isOn: boolean, hasTrigger: boolean): string {
  if (!hasTrigger) return "Needs a chat trigger. Add one to the workflow and publish it.";
  return isOn ? accessLabels[config.access].label : "A page where people chat with it";
}
