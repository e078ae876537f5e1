import { useState } from "react";
import { useCredentialChoices } from "../../state/shared/choices.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { Field } from "../../ui/fields/field.tsx";
import { SearchedSelect } from "../../ui/fields/searched-select.tsx";
import { useKnowledgeSlots } from "./knowledge-slots.tsx";

interface CredentialFieldProps {
  types: readonly string[];
  help: string;
  value: string;
  error?: string | undefined;
  onChange: (credential: string) => void;
}

/** Which credential of these types is used; a new one can be made in its place. */
export function CredentialField({ types, help, value, error, onChange }: CredentialFieldProps) {
  const { CredentialDialog } = useKnowledgeSlots();
  const [making, setMaking] = useState(false);
  const { options, missing, searched, isError } = useCredentialChoices(types, value);
  return (
    <>
      <Field
        label="Credential"
        required
        error={error ?? (isError ? "The credentials could not be loaded. Reload the page." : undefined)}
        help={help}
      >
        {(control) => (
          <div className="flex gap-1.5">
            <SearchedSelect
              {...control}
              {...searched}
              what="credentials"
              value={value}
              onValueChange={onChange}
              placeholder={options.length === 0 ? "None saved yet" : "Choose a credential"}
              options={[...(missing ? [{ value, label: "A credential this account does not have" }] : []), ...options]}
            />
            <Button icon="plus" onClick={() => setMaking(true)}>
              New
            </Button>
          </div>
        )}
      </Field>
      {making && (
        <CredentialDialog
          open
          onOpenChange={setMaking}
          types={types}
          onSaved={(credential) => onChange(credential.id)}
        />
      )}
    </>
  );
}
