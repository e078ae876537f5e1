import { useQuery } from "@tanstack/react-query";
import type { ConnectorUse } from "../../nodes/connectors/connector-node.ts";
import type { ConnectorChoice } from "../../nodes/connectors/index.ts";
import type { NodeStart } from "../commands/add-node.ts";

const none: readonly ConnectorChoice[] = [];

const load = async (): Promise<readonly ConnectorChoice[]> =>
  (await import("../../nodes/connectors/index.ts")).connectorChoices;

/** The operations of all services, once they are there; `wanted` tells whether they are shown at all. */
export function useConnectors(wanted = true): readonly ConnectorChoice[] {
  const { data } = useQuery({
    queryKey: ["connectors"],
    queryFn: load,
    staleTime: Infinity,
    gcTime: Infinity,
    enabled: wanted,
    networkMode: "always",
  });
  return data ?? none;
}

/** What `addNode` and `insertNewNode` need to add an operation. */
export function startOf(choice: ConnectorChoice, use: ConnectorUse): { type: string; start: NodeStart } {
  const { type, title, config } = choice.make(use);
  return { type, start: { title, config } };
}

/** The type of node that an operation becomes. */
export const typeOfUse = { tool: "http-request-tool", step: "http-request" } as const satisfies Record<
  ConnectorUse,
  string
>;

/** The use of an operation where a node of this type fits; undefined where none does. */
export function useOfType(type: string): ConnectorUse | undefined {
  return type === typeOfUse.tool ? "tool" : type === typeOfUse.step ? "step" : undefined;
}

/** The operation of a name, `service/operation`, if there is one. */
export async function findOperation(id: string): Promise<ConnectorChoice | undefined> {
  return (await load()).find((one) => one.id === id);
}
