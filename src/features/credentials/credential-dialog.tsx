import { lazy, Suspense } from "react";
import type { CredentialFormDialogProps } from "./credential-form-dialog.tsx";

type CredentialDialogProps = CredentialFormDialogProps;

const CredentialFormDialog = lazy(async () => ({
  default: (await import("./credential-form-dialog.tsx")).CredentialFormDialog,
}));

/** Makes a credential, or gives a stored one a new secret; loads its form when it is first opened. */
export function CredentialDialog(props: CredentialDialogProps) {
  if (!props.open) return null;
  return (
    <Suspense fallback={null}>
      <CredentialFormDialog {...props} />
    </Suspense>
  );
}
