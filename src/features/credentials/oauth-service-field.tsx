import { useState } from "react";
import { oauthServices, type OAuthService } from "../../engine/credentials/oauth-services.ts";
import { Field } from "../../ui/fields/field.tsx";
import { Select } from "../../ui/fields/select.tsx";
import { callbackPath } from "./callback-path.ts";

const another = "another";

/** Fills in what is known of a service, and says what its application has to be registered with. */
export function OAuthServiceField({ onChoose }: { onChoose?: (service: OAuthService) => void }) {
  const [chosen, setChosen] = useState(another);
  const service = oauthServices.find(({ id }) => id === chosen);
  return (
    <div className="flex flex-col gap-3">
      {onChoose !== undefined && (
        <Field label="Service" help="Fills in its addresses, scopes and hosts; change them as needed.">
          {(control) => (
            <Select
              {...control}
              value={chosen}
              onValueChange={(id) => {
                setChosen(id);
                const found = oauthServices.find((one) => one.id === id);
                if (found !== undefined) onChoose(found);
              }}
              options={[
                ...oauthServices.map(({ id, title }) => ({ value: id, label: title })),
                { value: another, label: "Another service" },
              ]}
            />
          )}
        </Field>
      )}
      <p className="text-xs text-muted">
        {`Register an application at ${service?.register ?? "the service"}, with the redirect address `}
        <code className="rounded bg-hover px-1 font-mono wrap-anywhere text-ink select-all">
          {new URL(callbackPath, window.location.origin).href}
        </code>
      </p>
    </div>
  );
}
