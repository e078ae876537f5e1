import type { ReactNode } from "react";
import type { NodeRecord, WorkflowDocument } from "../../engine/document/workflow-document.ts";
import type { ProviderDefinition } from "../../engine/model/provider.ts";
import { providers } from "../../providers/index.ts";
import type { CredentialSummary } from "../../services/services.ts";
import { credentialLabel } from "../../state/credential/credential-label.ts";
import { useDocumentStore, useEditor } from "../../state/editor/editor-context.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { useModelCredentials } from "./credential-cache.ts";
import { needsPrice, useChosenModel } from "./use-chosen-model.ts";

/**
 * What is offered in the place of the demo model: the real model of another workflow, or a stored credential.
 * Null where there is neither.
 */
export function useModelOffer(other: WorkflowDocument): ReactNode {
  const { canvas } = useEditor();
  const own = useDocumentStore((state) => state.document);
  const put = useChosenModel();
  const { data } = useModelCredentials();
  const stored = data?.rows ?? [];
  const [first] = stored;
  if (first === undefined) return null;
  const open = () => canvas.setState({ realModelOpen: true });
  const model = Object.values(other.nodes)
    .map((node) => modelOf(node, stored))
    .find((found) => found !== undefined);
  const isReady = model !== undefined && ("inputPrice" in model.prices || !needsPrice(model, own));
  const label = credentialLabel(model?.credential ?? first);
  return (
    <div className="flex flex-col gap-1.5 border-t px-3 py-2 text-sm">
      <p className="text-muted">
        The demo model answers by simple rules. {isReady ? "This workflow has a real model" : "You have a key"}:{" "}
        <span className="text-ink wrap-anywhere">{label}</span>
      </p>
      <div className="flex flex-wrap gap-2">
        <Button size="sm" variant="primary" onClick={() => (isReady ? put(model) : open())}>
          <span className="max-w-64 truncate">Use {isReady ? model.model : "it"}</span>
        </Button>
        {isReady && (
          <Button size="sm" onClick={open}>
            Another model
          </Button>
        )}
      </div>
    </div>
  );
}

interface RealModel {
  provider: ProviderDefinition;
  credential: CredentialSummary;
  model: string;
  prices: { inputPrice?: number; outputPrice?: number };
}

/** The model of a node whose credential is stored. */
function modelOf({ type, config, disabled }: NodeRecord, stored: readonly CredentialSummary[]): RealModel | undefined {
  const provider = providers.find(({ nodeType }) => nodeType === type);
  const credential = stored.find(({ id }) => id === config["credential"]);
  const { model, inputPrice, outputPrice } = config;
  if (provider === undefined || credential === undefined || disabled === true) return undefined;
  if (typeof model !== "string" || model === "") return undefined;
  const isPriced = typeof inputPrice === "number" && typeof outputPrice === "number";
  return { provider, credential, model, prices: isPriced ? { inputPrice, outputPrice } : {} };
}
