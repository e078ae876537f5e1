import { useState } from "react";
import { CredentialsView } from "../../features/credentials/credentials-view.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { PageFrame } from "./page-frame.tsx";

export function CredentialsPage() {
  const [creating, setCreating] = useState(false);
  return (
    <PageFrame
      title="Credentials"
      lead="Keys and passwords that nodes use by name. They are encrypted on the server and never shown again."
      actions={
        <Button variant="primary" icon="plus" onClick={() => setCreating(true)}>
          New credential
        </Button>
      }
    >
      <CredentialsView creating={creating} onCreating={setCreating} />
    </PageFrame>
  );
}
