import type { CredentialFormDialogProps } from "./credential-form-dialog.tsx";
import { CredentialFormDialog } from "./credential-form-dialog.tsx";

type CredentialDialogProps = CredentialFormDialogProps;

/** Makes a credential, or gives a stored one a new secret; loads its form when it is first opened. */
export function CredentialDialog(props: CredentialDialogProps) {
  if (!props.open) return null;
  return <CredentialFormDialog {...props} />;
}
