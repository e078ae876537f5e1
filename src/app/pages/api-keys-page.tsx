import { useState } from "react";
import { ApiKeysView } from "../../features/api-keys/api-keys-view.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { BackLink } from "./back-link.tsx";
import { PageFrame } from "./page-frame.tsx";

export function ApiKeysPage() {
  const [making, setMaking] = useState(false);
  return (
    <PageFrame
      title="API keys"
      above={<BackLink href="/settings">Settings</BackLink>}
      lead="With a key, programs run what you have published. Each key has its own rights, limits and spending."
      actions={
        <Button variant="primary" icon="plus" onClick={() => setMaking(true)}>
          New API key
        </Button>
      }
    >
      <ApiKeysView making={making} onMaking={setMaking} />
    </PageFrame>
  );
}
