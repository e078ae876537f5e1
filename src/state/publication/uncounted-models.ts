import type { NodeRegistry } from "../../engine/document/define-node.ts";
import { unknownPrices } from "../../engine/spending/unknown-prices.ts";
import { type ApiKey, type ApiKeyService, limitsMoney, type PublicationRepository } from "../../services/services.ts";

/** The models of live versions whose price is not known, by address; `slugs` null: of all that is published. */
export async function uncountedModels(
  publications: Pick<PublicationRepository, "liveDocuments">,
  registry: NodeRegistry,
  slugs: readonly string[] | null,
): Promise<{ slug: string; models: string[] }[]> {
  const live = await publications.liveDocuments(slugs);
  return live.flatMap(({ slug, documents }) => {
    const models = new Set(documents.flatMap((one) => unknownPrices(one, registry).map(({ model }) => model)));
    return models.size === 0 ? [] : [{ slug, models: [...models].toSorted() }];
  });
}

/** Whether a workflow's runs on the server are under a limit in dollars: its publication's, or that of a key which may run it. */
export async function isUnderMoneyLimit(
  workflowId: string,
  services: { publications: Pick<PublicationRepository, "find">; apiKeys: Pick<ApiKeyService, "list"> },
): Promise<boolean> {
  const publication = await services.publications.find(workflowId);
  if (publication !== undefined && limitsMoney(publication.limits)) return true;
  const keys = await services.apiKeys.list();
  return keys.some((key) => isInForce(key) && mayRun(key, publication?.slug) && limitsMoney(key.limits));
}

function isInForce({ revokedAt, expiresAt }: ApiKey): boolean {
  return revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > Date.now());
}

function mayRun({ scopes }: ApiKey, slug: string | undefined): boolean {
  return scopes.includes("run:*") || (slug !== undefined && scopes.includes(`run:${slug}`));
}
