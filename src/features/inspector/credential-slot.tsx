import { useState } from "react";
import type { JsonObject } from "../../engine/json.ts";
import type { SlotProps } from "../../forms/control-props.ts";
import type { Connector } from "../../nodes/connectors/connector.ts";
import { useCredentialChoices } from "../../state/shared/choices.ts";
import { useConnectors } from "../../state/editor/connectors.ts";
import type { CredentialStart } from "../../state/credential/credential-dialog-part.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { SearchedSelect } from "../../ui/fields/searched-select.tsx";
import { CredentialTest } from "./credential-test.tsx";
import { useInspectorSlots } from "./inspector-slots.tsx";
import { SlotFailure } from "./slot-failure.tsx";

/** The service whose connector a request was made from, once it is loaded. */
function useConnectorOf({ connector: id }: JsonObject): Connector | undefined {
  const isAny = typeof id === "string" && id !== "";
  return useConnectors(isAny).find(({ connector }) => isAny && connector.id === id)?.connector;
}

/** The credential that a service asks for, to be sent where the request goes and where its other operations go. */
function startOf(
  { title, credential, baseUrl, operations }: Connector,
  { url }: JsonObject,
): CredentialStart | undefined {
  if (credential === undefined) return undefined;
  const addresses = [String(url), baseUrl, ...operations.map((one) => one.baseUrl ?? baseUrl)];
  const hosts = addresses.flatMap((address) => /^https:\/\/([\w.-]+)(?=[/?#]|$)/.exec(address)?.[1] ?? []);
  return {
    type: credential.type,
    name: title,
    fields: credential.fields,
    hosts: [...new Set(hosts)],
    help: credential.help,
  };
}

/** Chooses a stored credential by name, or makes a new one. The node keeps its id only. */
export function CredentialSlot({ field, value, onChange, control, config }: SlotProps) {
  const { CredentialDialog } = useInspectorSlots();
  const [making, setMaking] = useState(false);
  const types = field.credentialTypes ?? [];
  const connector = useConnectorOf(config);
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
      {connector?.credential !== undefined && id === "" && (
        <p className="text-xs text-muted">
          {connector.title}: {connector.credential.title}. {connector.credential.help}{" "}
          <a
            className="text-accent underline-offset-2 hover:underline"
            href={connector.documentation}
            target="_blank"
            rel="noreferrer"
          >
            Documentation
          </a>
        </p>
      )}
      {making && (
        <CredentialDialog
          open
          onOpenChange={setMaking}
          types={types.length === 0 ? undefined : types}
          start={connector === undefined ? undefined : startOf(connector, config)}
          onSaved={(credential) => onChange(credential.id)}
        />
      )}
    </div>
  );
}
