import type { FieldDescription } from "../../engine/config/describe-fields.ts";
import type { Json } from "../../engine/json.ts";
import { Combobox } from "../../forms/combobox.tsx";
import { optionLabel } from "../../forms/option-label.ts";
import { Field, type FieldControlProps } from "../../ui/fields/field.tsx";
import { Input } from "../../ui/fields/input.tsx";
import { Select } from "../../ui/fields/select.tsx";
import { Switch } from "../../ui/fields/switch.tsx";
import { SecretInput } from "./secret-input.tsx";
import { SecretPairs } from "./secret-pairs.tsx";
import { isPlaceholderKey } from "../../engine/vendors/placeholder-key.ts";

interface CredentialFieldProps {
  /** The credential's type. */
  type: string;
  field: FieldDescription;
  secret: boolean;
  /** A stored credential's field: what is left empty keeps its value. */
  stored: boolean;
  value: Json | undefined;
  error: string | undefined;
  onChange: (value: Json | undefined) => void;
}

const notSecret = "This word is a usual placeholder and no secret: it is sent, but not blacked out in answers.";

/** One field of a credential, with the control that its type asks for. */
export function CredentialField(props: CredentialFieldProps) {
  const { type, field, secret, stored, value, error } = props;
  const kept = stored && !secret ? " Leave it as it is to keep what is stored." : "";
  return (
    <Field
      label={field.label}
      help={secret && isPlaceholderKey(type, value) ? notSecret : `${field.help}${kept}`}
      error={error}
      required={field.required && (secret || !stored)}
      inline={field.control === "switch"}
    >
      {(control) => <Control {...props} control={control} />}
    </Field>
  );
}

function Control({ field, secret, value, onChange, control }: CredentialFieldProps & { control: FieldControlProps }) {
  const text = typeof value === "string" || typeof value === "number" ? String(value) : "";
  switch (field.control) {
    case "switch":
      return <Switch {...control} checked={value === true} onCheckedChange={onChange} />;
    case "key-values":
      return <SecretPairs control={control} onChange={onChange} />;
    case "select":
      return (
        <Select
          {...control}
          value={text}
          onValueChange={onChange}
          options={(field.options ?? []).map((option) => ({
            value: option,
            label: optionLabel(option, field.optionTitles),
          }))}
        />
      );
    case "number":
      return (
        <Input
          {...control}
          inputMode="numeric"
          value={text}
          onChange={(event) => onChange(event.target.value === "" ? undefined : event.target.value)}
        />
      );
    default:
      if (field.suggestions) {
        const { suggestions, placeholder } = field;
        const shown = placeholder === undefined ? {} : { placeholder };
        return <Combobox control={control} value={text} onChange={onChange} options={suggestions} {...shown} />;
      }
      return secret ? (
        <SecretInput {...control} value={text} onChange={(event) => onChange(event.target.value)} />
      ) : (
        <Input
          {...control}
          value={text}
          placeholder={field.placeholder}
          spellCheck={false}
          autoCapitalize="none"
          onChange={(event) => onChange(event.target.value)}
        />
      );
  }
}
