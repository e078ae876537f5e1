import { useState } from "react";
import { CopyLine, DoorRow } from "../door-row.tsx";
import type { RowProps } from "../row-props.ts";
import { useDoorSwitch } from "../use-door-switch.ts";
import { useApiDoor } from "./use-api-door.ts";

/** The open workflow as an agent for other agents: they come in by the API, with a switch of their own. */
export function AgentRow({ publication }: Pick<RowProps, "publication">) {
  const { door } = useApiDoor(publication);
  const [isOpen, setIsOpen] = useState(false);
  const change = useDoorSwitch("api");
  if (door.data === undefined) return null;
  const { enabled, agents, agentUrl } = door.data;
  const wanted = change.isPending ? change.variables.config?.["agents"] === true : agents;
  const canSwitch = enabled && agentUrl !== undefined;
  const isOn = canSwitch && wanted;
  return (
    <DoorRow
      icon="bot"
      title="A2A (preview)"
      line={
        agentUrl === undefined
          ? "Needs a chat trigger. Add one to the workflow and publish it."
          : !enabled
            ? "Off with the API"
            : isOn
              ? "Other agents talk to it with an API key"
              : "Every agent is refused"
      }
      toggle={
        canSwitch
          ? {
              checked: wanted,
              busy: change.isPending,
              onChange: (on) => change.mutate({ config: { agents: on } }),
            }
          : undefined
      }
      isOn={isOn}
      copies={agentUrl !== undefined && <CopyLine text={agentUrl} copyLabel="Copy the address: A2A" />}
      isOpen={isOpen}
      onOpenChange={setIsOpen}
    >
      <p className="p-5 text-muted">
        An agent of the A2A protocol, versions 1.0 and 0.3. Its card is at{" "}
        <code className="font-mono text-xs">/.well-known/agent-card.json</code> under the address. The API's trust in
        callers holds here too, and while the API is off, so is this.
      </p>
    </DoorRow>
  );
}
