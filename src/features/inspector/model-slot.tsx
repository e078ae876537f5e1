import { Combobox } from "../../forms/combobox.tsx";
import type { SlotProps } from "../../forms/control-props.ts";
import { modelOptions, modelWarning } from "../../forms/model-options.ts";
import { providers } from "../../providers/index.ts";
import { singleSelectedNode } from "../../state/editor/canvas-store.ts";
import { useCanvasStore, useDocumentStore } from "../../state/editor/editor-context.tsx";
import { useModelList } from "../../state/credential/use-model-list.ts";
import { formatMoment } from "../../ui/text/format-moment.ts";
import { IconButton } from "../../ui/buttons/icon-button.tsx";

/** The model's name: the vendor's own list, fetched with the node's credential, or any text. */
export function ModelSlot({ field, value, onChange, control, config }: SlotProps) {
  const nodeId = useCanvasStore(singleSelectedNode) ?? "";
  const type = useDocumentStore((state) => state.document.nodes[nodeId]?.type);
  const provider = providers.find(({ nodeType }) => nodeType === type);
  const credential = typeof config["credential"] === "string" ? config["credential"] : "";
  const list = useModelList(provider, credential, nodeId);
  const model = typeof value === "string" ? value : String(field.default ?? "");
  const warning = modelWarning(model, list.data, provider?.catalogOf?.(config) ?? provider?.id ?? "");
  return (
    <div className="flex flex-col gap-1">
      <div className="flex gap-1.5">
        <div className="min-w-0 flex-1">
          <Combobox
            control={control}
            value={model}
            onChange={onChange}
            options={modelOptions(provider, list.data)}
            placeholder={field.placeholder ?? "Model name"}
            note={noteOf(list)}
          />
        </div>
        {list.needsKey && (
          <IconButton
            icon="refresh-cw"
            label="Fetch the provider's list again"
            disabled={!list.canList || list.isFetching}
            onClick={() => void list.refetch()}
          />
        )}
      </div>
      {warning !== undefined && <p className="text-xs text-warning">{warning}</p>}
    </div>
  );
}

function noteOf(list: ReturnType<typeof useModelList>): string | undefined {
  if (!list.canList) return "Suggestions. Choose a credential to see the provider's own list.";
  if (list.isFetching) return "Fetching the provider's list…";
  if (list.error !== null) return `${list.data ? "An older list" : "Suggestions only"}: ${list.error.message}`;
  if (!list.needsKey || list.data === undefined) return undefined;
  return `The provider's list of ${formatMoment(list.dataUpdatedAt)}. Any other name can be typed.`;
}
