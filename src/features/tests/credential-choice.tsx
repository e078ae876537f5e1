import { useCredentialChoices } from "../../state/shared/choices.ts";
import { Field } from "../../ui/fields/field.tsx";
import { SearchedSelect } from "../../ui/fields/searched-select.tsx";

interface CredentialChoiceProps {
  label: string;
  types: readonly string[];
  value: string;
  onChange(credential: string): void;
}

/** One of the account's credentials, of the types that a provider takes. */
export function CredentialChoice({ label, types, value, onChange }: CredentialChoiceProps) {
  const { options, missing, searched, isError } = useCredentialChoices(types, value);
  return (
    <Field
      label={label}
      help="Add keys on the page Credentials."
      {...(isError ? { error: "The credentials could not be loaded. Reload the page." } : {})}
    >
      {(control) => (
        <SearchedSelect
          {...control}
          {...searched}
          what="credentials"
          value={value}
          onValueChange={onChange}
          placeholder={options.length === 0 ? "None saved yet" : "Choose a credential"}
          options={[...(missing ? [{ value, label: "A credential this account does not have" }] : []), ...options]}
        />
      )}
    </Field>
  );
}
