import { useState } from "react";
import type { SlotProps } from "../../forms/control-props.ts";
import { useCredentialChoices } from "../../stores/choices.ts";
import { Button } from "../../ui/button.tsx";
import { SearchedSelect } from "../../ui/searched-select.tsx";
import { CredentialTest } from "./credential-test.tsx";
import { useInspectorSlots } from "./inspector-slots.tsx";
import { SlotFailure } from "./slot-failure.tsx";

/** Chooses a stored credential by name, or makes a new one. The node keeps its id only. */
export function CredentialSlot({ field, value, onChange, control }: SlotProps) {
  const { CredentialDialog } = useInspectorSlots();
  const [making, setMaking] = useState(false);
  const types = field.credentialTypes ?? [];
  const id = typeof value === "string" ? value : "";
  const { searched, missing, isPending, isSuccess, isError, refetch, ...choices } = useCredentialChoices(types, id);
  const options = [
    ...(field.required ? [] : [{ value: "", label: "None" }]),
    ...(missing ? [{ value: id, label: "A credential this account does not have" }] : []),
    ...choices.options,
  ];
  const none = searched.long ? "No credential has this name" : "None saved yet";
  const placeholder = isPending ? "Loading…" : choices.options.length === 0 ? none : "Choose a credential";
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex gap-1.5">
        <SearchedSelect
          {...control}
          {...searched}
          what="credentials"
          value={id}
          onValueChange={onChange}
          placeholder={field.required ? placeholder : undefined}
          options={options}
        />
        <Button icon="plus" onClick={() => setMaking(true)}>
          New
        </Button>
      </div>
      {id !== "" && !missing && isSuccess && <CredentialTest key={id} id={id} />}
      {isError && <SlotFailure what="credentials" onRetry={() => void refetch()} />}
      {making && (
        <CredentialDialog
          open
          onOpenChange={setMaking}
          types={types.length === 0 ? undefined : types}
          onSaved={(credential) => onChange(credential.id)}
        />
      )}
    </div>
  );
}
