import { useState } from "react";
import { CopyLine, DoorRow } from "../door-row.tsx";
import type { RowProps } from "../row-props.ts";
import { useApiDoor } from "./use-api-door.ts";

/** The open workflow as an agent for other agents, which is on and off with the API. */
export function AgentRow({ publication }: Pick<RowProps, "publication">) {
  const { door } = useApiDoor(publication);
  const [isOpen, setIsOpen] = useState(false);
  if (door.data === undefined) return null;
  const { enabled, agentUrl } = door.data;
  const isOn = enabled && agentUrl !== undefined;
  return (
    <DoorRow
      icon="bot"
      title="A2A (preview)"
      line={
        agentUrl === undefined
          ? "Needs a chat trigger. Add one to the workflow and publish it."
          : "Other agents talk to it with an API key"
      }
      state={enabled ? "On with the API" : "Off with the API"}
      isOn={isOn}
      copies={agentUrl !== undefined && <CopyLine text={agentUrl} copyLabel="Copy the address: A2A" />}
      isOpen={isOpen}
      onOpenChange={setIsOpen}
    >
      <p className="p-5 text-muted">
        An agent of the A2A protocol, versions 1.0 and 0.3. Its card is at{" "}
        <code className="font-mono text-xs">/.well-known/agent-card.json</code> under the address. The switch of the API
        and its trust in callers hold here too.
      </p>
    </DoorRow>
  );
}
