import type { Connector } from "../../nodes/connectors/connector.ts";
import type { ConnectorChoice } from "../../nodes/connectors/index.ts";
import { matchWords } from "../../ui/text/match-words.ts";

interface Service {
  connector: Connector;
  choices: readonly ConnectorChoice[];
}

/** The services with their operations; with a search only those that answer it, the service with the best one first. */
export function matchingOperations(operations: readonly ConnectorChoice[], search: string): Service[] {
  const isSearch = search.trim() !== "";
  const scored = operations
    .map((choice) => ({
      choice,
      score: matchWords(search, `${choice.connector.title} ${choice.operation.title}`, choice.beside),
    }))
    .filter(({ score }) => score > 0);
  if (isSearch) scored.sort((a, b) => b.score - a.score);
  const services = new Map<string, { connector: Connector; choices: ConnectorChoice[] }>();
  for (const { choice } of scored) {
    const { connector } = choice;
    const service = services.get(connector.id) ?? { connector, choices: [] };
    service.choices.push(choice);
    services.set(connector.id, service);
  }
  return [...services.values()];
}
