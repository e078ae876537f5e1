import { useQuery } from "@tanstack/react-query";
import type { ModelListing, ProviderDefinition } from "../../engine/model/provider.ts";
import { Combobox, type ComboboxOption } from "../../forms/combobox.tsx";
import type { SlotProps } from "../../forms/control-props.ts";
import { providers } from "../../providers/index.ts";
import { singleSelectedNode } from "../../stores/canvas-store.ts";
import { useCanvasStore, useDocumentStore, useEditor } from "../../stores/editor-context.tsx";
import { useServices } from "../../stores/services-context.tsx";

/** Milliseconds for which a fetched list is taken as it is. */
const listFreshFor = 5 * 60_000;

function optionsFrom(
  provider: ProviderDefinition | undefined,
  live: readonly ModelListing[] | undefined,
): ComboboxOption[] {
  const suggested = provider?.suggestedModels ?? [];
  if (live === undefined) return suggested.map((value) => ({ value }));
  const listed = live.map(({ id, title, retired }) => ({
    value: id,
    detail:
      [title === id ? undefined : title, retired ? "retired" : undefined].filter(Boolean).join(" · ") || undefined,
  }));
  const first = suggested.filter((id) => live.some((model) => model.id === id));
  return listed.toSorted((a, b) => Number(first.includes(b.value)) - Number(first.includes(a.value)));
}

/** The model's name: the vendor's own list, fetched with the node's credential, or any text. */
export function ModelSlot({ field, value, onChange, control, config }: SlotProps) {
  const { workflowId } = useEditor();
  const services = useServices();
  const nodeId = useCanvasStore(singleSelectedNode) ?? "";
  const type = useDocumentStore((state) => state.document.nodes[nodeId]?.type);
  const provider = providers.find(({ nodeType }) => nodeType === type);
  const credential = typeof config["credential"] === "string" ? config["credential"] : "";
  const canList = provider !== undefined && (provider.credentialTypes.length === 0 || credential !== "");
  const { data, error, isFetching } = useQuery({
    queryKey: ["models", provider?.id, credential],
    enabled: canList,
    staleTime: listFreshFor,
    retry: false,
    queryFn: ({ signal }) => {
      const approve = () => Promise.resolve({ approved: false as const, reason: "Listing models asks for nothing." });
      const host = services.createHost({ workflowId, approve });
      return provider?.listModels({ host, credential, nodeId }, signal) ?? [];
    },
  });
  const note = !canList
    ? "Suggestions. Choose a credential to see the provider's own list."
    : isFetching
      ? "Fetching the provider's list…"
      : error === null
        ? undefined
        : `Suggestions only: ${error.message}`;
  return (
    <Combobox
      control={control}
      value={typeof value === "string" ? value : String(field.default ?? "")}
      onChange={onChange}
      options={optionsFrom(provider, data)}
      placeholder={field.placeholder ?? "Model name"}
      note={note}
    />
  );
}
