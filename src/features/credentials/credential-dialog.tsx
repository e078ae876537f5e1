import type { CredentialFormDialogProps } from "./credential-form-dialog.tsx";
import { lazyPart } from "../../ui/feedback/lazy-part.tsx";

type CredentialDialogProps = CredentialFormDialogProps;

const CredentialFormDialog = lazyPart(async () => (await import("./credential-form-dialog.tsx")).CredentialFormDialog);

/** Makes a credential, or gives a stored one a new secret; loads its form when it is first opened. */
export function CredentialDialog(props: CredentialDialogProps) {
  if (!props.open) return null;
  return <CredentialFormDialog {...props} />;
}
