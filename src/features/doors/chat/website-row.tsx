import { useState } from "react";
import { framingSites } from "../../../doors/chat-door.ts";
import { DoorRow } from "../door-row.tsx";
import type { RowProps } from "../row-props.ts";
import { useDoorSwitch } from "../use-door-switch.ts";
import { type ChatDoor, useChatDoor } from "./use-chat-door.ts";
import { WebsiteSettings, WebsiteSnippet } from "./website-settings.tsx";

/** The chat page in the corner of the owner's website. */
export function WebsiteRow({ publication, hasTrigger }: RowProps) {
  const { door, save } = useChatDoor("Sites saved");
  const [isOpen, setIsOpen] = useState(false);
  const [isWanted, setIsWanted] = useState(false);
  const change = useDoorSwitch("chat");
  const { data } = door;
  if (data === undefined) return null;
  const isStored = data.enabled && framingSites(data.config).length > 0;
  const isOn = change.isPending ? change.variables.config?.["embedded"] === true : isStored;
  const toggle = (wanted: boolean) => {
    if (wanted && data.config.sites.length === 0) {
      setIsWanted(true);
      setIsOpen(true);
      return;
    }
    // The chat page is what the website shows.
    change.mutate({ ...(wanted ? { enabled: true } : {}), config: { embedded: wanted } });
  };
  return (
    <DoorRow
      icon="globe"
      title="Website"
      line={lineOf(data, isOn, hasTrigger)}
      isOn={isOn}
      toggle={
        hasTrigger || isOn ? { checked: isOn, busy: change.isPending || save.isPending, onChange: toggle } : undefined
      }
      copies={<WebsiteSnippet slug={publication.slug} />}
      isOpen={isOpen}
      onOpenChange={(open) => {
        setIsOpen(open);
        if (!open) setIsWanted(false);
      }}
    >
      <WebsiteSettings door={data} save={save} isWanted={isWanted} onSaved={() => setIsWanted(false)} />
    </DoorRow>
  );
}

function lineOf({ enabled, config: { sites, embedded } }: ChatDoor, isOn: boolean, hasTrigger: boolean): string {
  if (!hasTrigger) return "Needs a chat trigger. Add one to the workflow and publish it.";
  const [first, ...more] = sites;
  if (first === undefined) return "A button in the corner of your site opens the chat page";
  const named = `${new URL(first).host}${more.length > 0 ? ` and ${more.length} more` : ""}`;
  if (isOn) return `On ${named}`;
  return embedded && !enabled ? `On ${named} once the chat page is on` : `Listed: ${named}`;
}
