import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { SlotProps } from "../../forms/control-props.ts";
import { useServices } from "../../stores/services-context.tsx";
import { Button } from "../../ui/button.tsx";
import { Select } from "../../ui/select.tsx";
import { CredentialTest } from "./credential-test.tsx";
import { useInspectorSlots } from "./inspector-slots.tsx";
import { SlotFailure } from "./slot-failure.tsx";

/** Chooses a stored credential by name, or makes a new one. The node keeps its id only. */
export function CredentialSlot({ field, value, onChange, control }: SlotProps) {
  const { credentials } = useServices();
  const { CredentialDialog } = useInspectorSlots();
  const [making, setMaking] = useState(false);
  const { data, isPending, isError, refetch } = useQuery({
    queryKey: ["credentials"],
    queryFn: () => credentials.list(),
  });
  const types = field.credentialTypes ?? [];
  const fitting = (data ?? []).filter(({ type }) => types.length === 0 || types.includes(type));
  const id = typeof value === "string" ? value : "";
  const missing = data !== undefined && id !== "" && !fitting.some((credential) => credential.id === id);
  const options = [
    ...(field.required ? [] : [{ value: "", label: "None" }]),
    ...(missing ? [{ value: id, label: "A credential that this account does not have" }] : []),
    ...fitting.map(({ id, name, lastFour }) => ({
      value: id,
      label: lastFour === "" ? name : `${name} ···${lastFour}`,
    })),
  ];
  const placeholder = isPending ? "Loading…" : fitting.length === 0 ? "None stored yet" : "Choose a credential";
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex gap-1.5">
        <Select
          {...control}
          value={id}
          onValueChange={onChange}
          placeholder={field.required ? placeholder : undefined}
          options={options}
        />
        <Button icon="plus" onClick={() => setMaking(true)}>
          New
        </Button>
      </div>
      {id !== "" && !missing && data !== undefined && <CredentialTest key={id} id={id} />}
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
